import { setTimeout as delay } from 'node:timers/promises'
import {
  LoadClient,
  type LoadRun,
  median,
  percentile,
  runLoad,
  runOpenLoop,
  type Reply,
} from '../load.ts'
import { treeCpuMs, type Server } from '../process.ts'
import { figure, progress } from '../report.ts'

type Way = 'whole' | 'streamed'

/** Services that share the load evenly, and the PostgreSQL that they write to. */
export type Side = {
  readonly name: string
  readonly servers: readonly Server[]
  readonly postgresPid?: number | undefined
}

/** The load of each server of a side. */
export type Load =
  | { readonly type: 'open'; readonly perSecond: number; readonly durationMs: number }
  | { readonly type: 'closed'; readonly callers: number; readonly durationMs: number }

export type Round = {
  readonly p50: number
  readonly p99: number
  readonly requestsPerSecond: number
  /** Processor time of the side's servers for each request. */
  readonly serverMs: number
  /** Processor time of PostgreSQL for each request. */
  readonly postgresMs: number
  /** Requests without a whole reply. The other figures leave them out. */
  readonly failed: number
}

export type Contestant = { readonly side: Side; readonly way: Way; readonly rounds: Round[] }

const body = {
  messages: [{ role: 'user', content: 'What time does the museum open on Sunday?' }],
  max_tokens: 8,
}
/** V8 has compiled the hot functions after this time, and a slow server has answered some hundred requests. */
const warmUp: Load = { type: 'closed', callers: 32, durationMs: 5000 }

/** Measures each side with whole replies and with streams. The sides take turns in going first. */
export async function measureSides(
  sides: readonly Side[],
  load: Load,
  rounds: number,
): Promise<Contestant[]> {
  const contestants = sides.flatMap((side): Contestant[] => [
    { side, way: 'whole', rounds: [] },
    { side, way: 'streamed', rounds: [] },
  ])
  for (const { side, way } of contestants) await measure(side, way, warmUp)
  for (let round = 0; round < rounds; round++) {
    for (const one of round % 2 === 0 ? contestants : contestants.toReversed())
      one.rounds.push(await measure(one.side, one.way, load))
    progress(`round ${round + 1}/${rounds} of ${sides.length} sides`)
  }
  return contestants
}

/** Formats one measurement over all rounds. */
export function cell(rounds: readonly Round[], name: keyof Round, digits: number): string {
  const values = rounds.map((round) => round[name])
  return figure(values, digits)
}

/** Returns a line that says how many requests of each contestant failed; an empty text if none did. */
export function describeFailures(contestants: readonly Contestant[]): string {
  const parts = contestants.flatMap(({ side, way, rounds }) => {
    const failed = rounds.reduce((sum, round) => sum + round.failed, 0)
    return failed === 0 ? [] : [`${failed} of ${side.name}, ${way}`]
  })
  return parts.length === 0 ? '' : `\nFailed requests, left out: ${parts.join('; ')}.`
}

/** Returns true if each server answered at least 95 % of the load, in the median round. */
export function reaches({ side, rounds }: Contestant, perSecond: number): boolean {
  const reached = median(rounds.map(({ requestsPerSecond }) => requestsPerSecond))
  return reached >= 0.95 * perSecond * side.servers.length
}

/** Returns one value for each round, from a contestant and from another one in the same round. */
export function pairwise(
  one: Contestant,
  other: Contestant,
  value: (a: Round, b: Round) => number,
): number[] {
  return one.rounds.flatMap((round, index) => {
    const beside = other.rounds[index]
    return beside === undefined ? [] : [value(round, beside)]
  })
}

async function measure(side: Side, way: Way, load: Load): Promise<Round> {
  const { servers, postgresPid } = side
  const cpuOfServers = () => servers.reduce((sum, { pid }) => sum + treeCpuMs(pid), 0)
  const cpuOfPostgres = () => (postgresPid === undefined ? 0 : treeCpuMs(postgresPid))
  const before = { servers: cpuOfServers(), postgres: cpuOfPostgres() }
  const runs = await Promise.all(servers.map((server) => runOne(server, way, load)))
  const after = { servers: cpuOfServers(), postgres: cpuOfPostgres() }
  const replies = runs.flatMap((run) => run.replies)
  const wallMs = Math.max(...runs.map((run) => run.wallMs))
  const times = replies.map(({ startMs, endMs }) => endMs - startMs)
  return {
    p50: median(times),
    p99: percentile(times, 0.99),
    requestsPerSecond: (replies.length * 1000) / wallMs,
    serverMs: (after.servers - before.servers) / replies.length,
    postgresMs: (after.postgres - before.postgres) / replies.length,
    failed: runs.reduce((sum, run) => sum + run.failures.length, 0),
  }
}

async function runOne(
  server: Server,
  way: Way,
  load: Load,
): Promise<LoadRun & { failures: unknown[] }> {
  const client = new LoadClient(server, 'kept')
  const send = () => (way === 'whole' ? client.complete(body) : client.stream(body))
  try {
    const run =
      load.type === 'open'
        ? await runOpenLoop(load.perSecond, load.durationMs, send)
        : await runClosedLoop(load, send)
    if (run.failures.length > 0)
      progress(`${server.name}: ${run.failures.length} failed, ${String(run.failures[0])}`)
    return run
  } finally {
    client.close()
  }
}

async function runClosedLoop(
  { callers, durationMs }: Load & { type: 'closed' },
  send: () => Promise<Reply>,
): Promise<LoadRun & { failures: unknown[] }> {
  const failures: unknown[] = []
  const run = await runLoad(callers, { durationMs }, async () => {
    try {
      return await send()
    } catch (error) {
      failures.push(error)
      // A service that refuses everything at once gets no busy loop.
      await delay(10)
      return []
    }
  })
  return { ...run, failures }
}
