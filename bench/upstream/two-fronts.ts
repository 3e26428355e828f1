import { createDatabase } from '../../test/support/postgres/start-postgres.ts'
import { median } from '../load.ts'
import { loadCore, onCore } from '../process.ts'
import { figure, table } from '../report.ts'
import type { Goal, Part } from './goals.ts'
import {
  cell,
  type Contestant,
  describeFailures,
  measureSides,
  pairwise,
  type Round,
  type Side,
} from './measure-sides.ts'
import { startBackends, startFront, stopAll } from './start-sides.ts'

const perSecond = 300
const callers = 32
const durationMs = 6000
const goalScale = 1.8

/** Compares two fronts over one PostgreSQL with one front, in processor time. */
export async function measureTwoFronts(rounds: number): Promise<Part> {
  const started: { stop: () => Promise<void> }[] = []
  try {
    // The fronts fill their core, so PostgreSQL shares the core of the load.
    const { upstream, postgres } = await startBackends(started, loadCore)
    const url = await createDatabase(postgres.url)
    const first = await startFront(upstream, url)
    started.push(first)
    const second = await startFront(upstream, url)
    started.push(second)
    const sides: Side[] = [
      { name: 'one front', servers: [first], postgresPid: postgres.pid },
      { name: 'two fronts', servers: [first, second], postgresPid: postgres.pid },
    ]
    return await onCore(loadCore, async () => {
      const paced = await measureSides(sides, { type: 'open', perSecond, durationMs }, rounds)
      const full = await measureSides(sides, { type: 'closed', callers, durationMs }, rounds)
      return describeTwoFronts(paced, full)
    })
  } finally {
    await stopAll(started)
  }
}

export function describeTwoFronts(paced: readonly Contestant[], full: readonly Contestant[]): Part {
  const goals = pairsOf(full).map(({ one, two }): Goal => {
    const scale = median(pairwise(one, two, scaleOf))
    return {
      goal: `two fronts over one PostgreSQL serve ≥ ${goalScale} × one front for the processor time of fronts and PostgreSQL, ${two.way}`,
      found: `${scale.toFixed(2)} ×`,
      met: scale >= goalScale,
    }
  })
  const head = [
    '',
    'requests/s',
    'p50, ms',
    'p99, ms',
    'processor time of a request, ms',
    'of PostgreSQL, ms',
  ]
  const markdown = [
    '**Two fronts.** Both have one core, with PostgreSQL, the upstream and the load on the other; all keys are of one account, so the',
    `fronts add to the same sums. The first table has an open loop of ${perSecond} requests/s for each front for ${durationMs / 1000} s, the second one`,
    `${callers} callers for each front. × one front is twice the processor time of a request with one front, divided by the time with two; the time`,
    'of PostgreSQL counts. The open loop has no such column: at more requests/s, more of them share a commit, and each takes less time.',
    'Two cores show what sharing a database costs the fronts and PostgreSQL. They cannot show twice the requests/s, which need a',
    'core for each front and enough for PostgreSQL; how many rows that takes is in the next part.' +
      describeFailures([...paced, ...full]),
    '',
    table(head, paced.map(toCells)),
    '',
    table([...head, '× one front'], toComparedRows(full)),
  ].join('\n')
  return { markdown, goals }
}

/** Throughput of two fronts with a core each, as a multiple of one front's. The time of PostgreSQL counts. */
function scaleOf(one: Round, two: Round): number {
  return (2 * (one.serverMs + one.postgresMs)) / (two.serverMs + two.postgresMs)
}

function pairsOf(contestants: readonly Contestant[]): { one: Contestant; two: Contestant }[] {
  return contestants.flatMap((two) => {
    const one = contestants.find(({ side, way }) => side.servers.length === 1 && way === two.way)
    return two.side.servers.length === 2 && one !== undefined ? [{ one, two }] : []
  })
}

function toCells({ side, way, rounds }: Contestant): string[] {
  return [
    `${side.name}, ${way}`,
    cell(rounds, 'requestsPerSecond', 0),
    cell(rounds, 'p50', 2),
    cell(rounds, 'p99', 2),
    cell(rounds, 'serverMs', 2),
    cell(rounds, 'postgresMs', 2),
  ]
}

function toComparedRows(contestants: readonly Contestant[]): string[][] {
  const pairs = pairsOf(contestants)
  return contestants.map((contestant) => {
    const pair = pairs.find(({ two }) => two === contestant)
    const scale = pair === undefined ? '' : figure(pairwise(pair.one, pair.two, scaleOf), 2)
    return [...toCells(contestant), scale]
  })
}
