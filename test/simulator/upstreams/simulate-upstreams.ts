import { chooseEndpoint } from '../../../src/engine/upstream/endpoints/choose-endpoint.ts'
import { Endpoint } from '../../../src/engine/upstream/endpoints/endpoint.ts'
import { loadValidReads, upstreamTimeouts } from '../../../src/engine/upstream/upstream-limits.ts'
import { randomNumbers } from '../../support/random/random-numbers.ts'

type World = {
  readonly services: number
  readonly engines: number
  /** Mean number of tokens in a reply. */
  readonly replyTokens: number
  /** True if the services read the engines' load. */
  readonly reads: boolean
  readonly seconds: number
  readonly seed: number
}

type Reply = { readonly endpoint: Endpoint; readonly startedMs: number; tokensLeft: number }
type SimulatedEngine = { running: Reply[]; waiting: Reply[] }
type Service = { readonly endpoints: readonly Endpoint[]; readonly nextReadsMs: number[] }

const stepMs = 20
const slots = 32
/** Share of the engines' throughput that the requests ask for. */
const utilisation = 0.8
const prefixes = 60
/** Results of the first seconds are not counted, because the engines start empty. */
const warmUpMs = 30_000

/**
 * Simulates services that choose among the same engines, with the real choice on a simulated clock. Requests arrive at
 * random services and begin with one of 60 prefixes, some of which are much more frequent than others. An engine runs 32
 * requests at once, each the slower the more there are, and queues the rest.
 */
export function simulateUpstreams(world: World) {
  const random = randomNumbers(world.seed)
  const engines = Array.from({ length: world.engines }, (): SimulatedEngine => ({
    running: [],
    waiting: [],
  }))
  const services = Array.from({ length: world.services }, () => newService(world.engines, random))
  const meanGapMs = world.replyTokens / (utilisation * world.engines * slots * tokensPerMs(slots))
  const times: number[] = []
  const excess: number[] = []
  let nextArrivalMs = 0
  for (let nowMs = 0; nowMs < warmUpMs + 1000 * world.seconds; nowMs += stepMs) {
    if (world.reads) for (const service of services) readLoads(service, engines, nowMs, random)
    for (; nextArrivalMs <= nowMs; nextArrivalMs += exponential(meanGapMs, random)) {
      const prefix = Math.floor(prefixes * random() ** 2.5)
      const { endpoints } = pick(services, random)
      const endpoint = chooseEndpoint(endpoints, prefix, new Set(), nowMs, random)
      if (endpoint === undefined) throw new Error('no upstream is up')
      const engine = engines[endpoints.indexOf(endpoint)]
      endpoint.outstanding += 1
      const tokensLeft = exponential(world.replyTokens, random)
      engine?.waiting.push({ endpoint, startedMs: nowMs, tokensLeft })
    }
    const ended = engines.flatMap(step)
    for (const { endpoint } of ended) endpoint.outstanding -= 1
    if (nowMs < warmUpMs) continue
    times.push(...ended.map(({ startedMs }) => nowMs - startedMs))
    const loads = engines.map(({ running, waiting }) => running.length + waiting.length)
    excess.push(Math.max(...loads) - mean(loads))
  }
  return {
    meanMs: mean(times),
    p99Ms: times.toSorted((a, b) => a - b)[Math.floor(0.99 * times.length)] ?? 0,
    /** Requests on the busiest engine beyond those of the average one, as a mean over time. */
    excess: mean(excess),
  }
}

function newService(engines: number, random: () => number): Service {
  const endpoints = Array.from({ length: engines }, (_, i) => new Endpoint(`http://engine-${i}`))
  for (const endpoint of endpoints) endpoint.admit(0)
  return { endpoints, nextReadsMs: endpoints.map(() => random() * upstreamTimeouts.probeEveryMs) }
}

/** Reads the load of each engine whose next read is due, like `Endpoints` does. */
function readLoads(
  { endpoints, nextReadsMs }: Service,
  engines: readonly SimulatedEngine[],
  nowMs: number,
  random: () => number,
): void {
  const { probeEveryMs } = upstreamTimeouts
  for (const [i, endpoint] of endpoints.entries()) {
    if (nowMs < (nextReadsMs[i] ?? 0)) continue
    nextReadsMs[i] = nowMs + probeEveryMs * (1 + 0.2 * random())
    const { running = [], waiting = [] } = engines[i] ?? {}
    endpoint.noteReport({
      load: { running: running.length, waiting: waiting.length },
      own: endpoint.outstanding,
      untilMs: nowMs + loadValidReads * probeEveryMs,
    })
  }
}

/** Generates tokens for one step. Returns the replies that have ended. */
function step(engine: SimulatedEngine): Reply[] {
  engine.running.push(...engine.waiting.splice(0, slots - engine.running.length))
  const tokens = stepMs * tokensPerMs(engine.running.length)
  for (const reply of engine.running) reply.tokensLeft -= tokens
  const ended = engine.running.filter(({ tokensLeft }) => tokensLeft <= 0)
  engine.running = engine.running.filter(({ tokensLeft }) => tokensLeft > 0)
  return ended
}

/** Speed of each of this number of concurrent replies. */
function tokensPerMs(running: number): number {
  return 0.05 / (1 + 0.02 * running)
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)] as Item
}

function exponential(meanValue: number, random: () => number): number {
  return -Math.log(1 - random()) * meanValue
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
