import { startScripted, startUpstream } from './front-servers.ts'
import type { BenchResult, Finding } from '../findings.ts'
import { LoadClient, median, percentile, runLoad, runOpenLoop, type Reply } from '../load.ts'
import { installLiteLlm, startLiteLlm } from '../peers/litellm.ts'
import { loadCore, onCore, serverCore, type Server } from '../process.ts'
import { figure, progress, table } from '../report.ts'

const body = {
  messages: [{ role: 'user', content: 'What time does the museum open on Sunday?' }],
  max_tokens: 8,
}
const loneRequests = 300
const requestsPerSecond = 300
const callers = 32
const durationMs = 4000
const warmUpRequests = 500

/** Compares Pipit with LiteLLM in front of a bare upstream. */
export async function measureGateways(rounds: number): Promise<BenchResult> {
  const servers: Server[] = []
  try {
    servers.push(
      await startUpstream(loadCore),
      await startScripted({ tokensPerSecond: 0, core: serverCore }),
    )
    const [upstream] = servers
    const absent = upstream === undefined ? '' : await addLiteLlm(servers, upstream)
    const contestants = await onCore(loadCore, () => compare(servers, rounds))
    const markdown = [
      `Beside another gateway: a bare upstream, Pipit with the scripted engine, and LiteLLM in front of that upstream (one worker, a master key,`,
      `no database, so that it records no usage). Gateways on one core, the upstream and the load on the other; ${rounds} alternating rounds, ms, medians over rounds.`,
      `Alone: ${loneRequests} requests, one after the other. Paced: an open loop of ${requestsPerSecond} requests/s for ${durationMs / 1000} s; failed requests of all rounds.${absent}`,
      '',
      toTable(contestants),
    ].join('\n')
    return { markdown, findings: contestants.flatMap((one) => findingOf(one, contestants)) }
  } finally {
    for (const server of servers) await server.stop()
  }
}

/** Adds LiteLLM to the servers. If it cannot be started, returns the reason as text for the result. */
async function addLiteLlm(servers: Server[], upstream: Server): Promise<string> {
  try {
    servers.push(await startLiteLlm(installLiteLlm(), upstream, serverCore))
    return ''
  } catch (error) {
    const [reason = ''] = String(error).split('\n')
    progress(`LiteLLM is left out: ${String(error)}`)
    return `\nLiteLLM is left out: it could not be installed or started here (${reason}).`
  }
}

export type Contestant = {
  server: Server
  way: 'whole' | 'streamed'
  alone: { p50: number; p99: number }[]
  paced: {
    p50: number
    p99: number
    /** Whole replies per second. */
    reached: number
    /** Requests without a whole reply. The other figures leave them out. */
    failed: number
  }[]
  rates: number[]
}

async function compare(servers: readonly Server[], rounds: number): Promise<Contestant[]> {
  const contestants = servers.flatMap((server): Contestant[] => [
    { server, way: 'whole', alone: [], paced: [], rates: [] },
    { server, way: 'streamed', alone: [], paced: [], rates: [] },
  ])
  for (let round = -1; round < rounds; round++) {
    for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
      if (round < 0) await warmUp(contestant)
      else await measure(contestant)
      progress(`gateways ${round + 1}/${rounds}: ${contestant.server.name}, ${contestant.way}`)
    }
  }
  return contestants
}

async function warmUp({ server, way }: Contestant): Promise<void> {
  await withClient(server, way, (send) => runLoad(4, { count: warmUpRequests }, send))
}

async function measure({ server, way, alone, paced, rates }: Contestant): Promise<void> {
  await withClient(server, way, async (send) => {
    const lone = await runLoad(1, { count: loneRequests }, send)
    alone.push(quantiles(lone.replies))
    const open = await runOpenLoop(requestsPerSecond, durationMs, send)
    paced.push({
      ...quantiles(open.replies),
      reached: (open.replies.length * 1000) / open.wallMs,
      failed: open.failures.length,
    })
    if (open.failures.length > 0)
      progress(`${server.name}: ${open.failures.length} failed, ${String(open.failures[0])}`)
    const closed = await runLoad(callers, { durationMs }, send)
    rates.push((closed.replies.length * 1000) / closed.wallMs)
  })
}

async function withClient<T>(
  server: Server,
  way: Contestant['way'],
  use: (send: () => Promise<Reply>) => Promise<T>,
): Promise<T> {
  const client = new LoadClient(server, 'kept')
  try {
    return await use(() => (way === 'whole' ? client.complete(body) : client.stream(body)))
  } finally {
    client.close()
  }
}

function quantiles(replies: readonly Reply[]): { p50: number; p99: number } {
  const times = replies.map(({ startMs, endMs }) => endMs - startMs)
  return { p50: median(times), p99: percentile(times, 0.99) }
}

/**
 * Returns a finding with the latency that Pipit added in the open loop. Returns none for the other servers, and none if
 * Pipit or the bare upstream did not reach the load.
 */
export function findingOf(
  { server, way, paced }: Contestant,
  all: readonly Contestant[],
): Finding[] {
  const bare = all.find((other) => other.way === way)
  if (bare === undefined || !server.name.startsWith('Pipit')) return []
  const middle = (rounds: Contestant['paced'], part: 'p50' | 'p99' | 'reached') =>
    median(rounds.map((round) => round[part]))
  const reached = middle(paced, 'reached')
  if (Math.min(reached, middle(bare.paced, 'reached')) < 0.95 * requestsPerSecond) return []
  const added = (part: 'p50' | 'p99') =>
    `${(middle(paced, part) - middle(bare.paced, part)).toFixed(2)} ms`
  const name = `The scripted engine, ${way === 'whole' ? 'whole replies' : 'streams'}`
  const sentence = `${name}: at ${requestsPerSecond} requests/s on one core the service added ${added('p50')} (p50) and ${added('p99')} (p99) to those of a bare upstream, with each entry flushed to the disk; it answered ${reached.toFixed(0)} requests/s, and ${failedOf(paced)} requests failed.`
  return [{ id: 'G7', sentence }]
}

function failedOf(paced: Contestant['paced']): number {
  return paced.reduce((sum, { failed }) => sum + failed, 0)
}

export function toTable(contestants: readonly Contestant[]): string {
  const rows = contestants.map(({ server, way, alone, paced, rates }) => {
    const bare = contestants.find((other) => other.way === way)
    const added = (part: 'p50' | 'p99') =>
      alone.map((one, round) => one[part] - (bare?.alone[round]?.[part] ?? NaN))
    const isBare = server === bare?.server
    return [
      `${server.name}, ${way}`,
      figure(
        alone.map(({ p50 }) => p50),
        2,
      ),
      figure(
        alone.map(({ p99 }) => p99),
        2,
      ),
      isBare ? '' : figure(added('p50'), 2),
      isBare ? '' : figure(added('p99'), 2),
      figure(
        paced.map(({ p50 }) => p50),
        2,
      ),
      figure(
        paced.map(({ p99 }) => p99),
        2,
      ),
      figure(
        paced.map(({ reached }) => reached),
        0,
      ),
      String(failedOf(paced)),
      figure(rates, 0),
    ]
  })
  return table(
    [
      '',
      'alone p50',
      'p99',
      'added at p50',
      'added at p99',
      'paced p50',
      'p99',
      'reached, requests/s',
      'failed',
      `${callers} callers, requests/s`,
    ],
    rows,
  )
}
