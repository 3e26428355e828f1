import { startScripted, startUpstream } from '../front/front-servers.ts'
import { median } from '../load.ts'
import { loadCore, onCore, serverCore, type Server } from '../process.ts'
import { figure, table } from '../report.ts'
import type { Goal, Part } from './goals.ts'
import {
  cell,
  type Contestant,
  describeFailures,
  measureSides,
  pairwise,
  reaches,
} from './measure-sides.ts'
import { startFront, stopAll } from './start-sides.ts'

const load = { type: 'open', perSecond: 300, durationMs: 6000 } as const

/** Measures what the upstream engine adds to the latency of the front with the scripted engine. */
export async function measureAddedLatency(rounds: number): Promise<Part> {
  const started: Server[] = []
  try {
    const upstream = await startUpstream(loadCore)
    started.push(upstream)
    const scripted = await startScripted({ tokensPerSecond: 0, core: serverCore })
    started.push(scripted)
    const fronted = await startFront(upstream)
    started.push(fronted)
    const sides = [
      { name: 'the upstream alone', servers: [upstream] },
      { name: 'Pipit, scripted engine', servers: [scripted] },
      { name: 'Pipit, upstream engine', servers: [fronted] },
    ]
    return describe(await onCore(loadCore, () => measureSides(sides, load, rounds)))
  } finally {
    await stopAll(started)
  }
}

function describe(contestants: readonly Contestant[]): Part {
  const goals: Goal[] = []
  const rows = contestants.map((one) => {
    const { side, way, rounds } = one
    const cells = [
      `${side.name}, ${way}`,
      cell(rounds, 'p50', 2),
      cell(rounds, 'p99', 2),
      cell(rounds, 'serverMs', 2),
    ]
    const scripted = contestants.find(
      (other) => other.side.name === 'Pipit, scripted engine' && other.way === way,
    )
    if (side.name !== 'Pipit, upstream engine' || scripted === undefined) return [...cells, '', '']
    const p50 = pairwise(one, scripted, (a, b) => a.p50 - b.p50)
    const p99 = pairwise(one, scripted, (a, b) => a.p99 - b.p99)
    goals.push({
      goal: `the upstream engine adds ≤ 1 ms at p50 and ≤ 5 ms at p99 at ${load.perSecond} requests/s, ${way}`,
      found: `${median(p50).toFixed(2)} and ${median(p99).toFixed(2)} ms`,
      met: [one, scripted].every((each) => reaches(each, load.perSecond))
        ? median(p50) <= 1 && median(p99) <= 5
        : undefined,
    })
    return [...cells, figure(p50, 2), figure(p99, 2)]
  })
  const markdown = [
    `**Added latency.** An open loop of ${load.perSecond} requests/s for ${load.durationMs / 1000} s; replies of 8 tokens; ledgers in files. Both services run`,
    'on one core, the upstream and the load on the other. What the upstream engine adds to the scripted engine, which needs',
    'no second server, is taken in each round. It includes the time of the upstream itself.' +
      describeFailures(contestants),
    '',
    table(
      ['', 'p50, ms', 'p99, ms', 'processor time of a request, ms', 'added at p50', 'added at p99'],
      rows,
    ),
  ].join('\n')
  return { markdown, goals }
}
