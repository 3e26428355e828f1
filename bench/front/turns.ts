import { resolve } from 'node:path'
import { startScripted } from './front-servers.ts'
import { loadFront, type Way } from './load-front.ts'
import { median } from '../load.ts'
import type { BenchOptions } from '../options.ts'
import { cpuMs, loadCore, onCore, serverCore } from '../process.ts'
import { figure, progress, table } from '../report.ts'
import type { Service } from '../service.ts'

const warmUpRequests = 5000
const ways: readonly Way[] = ['whole', 'streamed']

type Round = { cpuMsPerRequest: number; requestsPerSecond: number; aloneMs: number }
type Side = { name: string; service: Service; rounds: Record<Way, Round[]> }

/**
 * Compares the front of this build with that of another checkout, with the scripted engine. Both
 * services run at the same time and are loaded in turns. The server has one core and the load
 * another.
 */
export async function benchTurns({ rounds, against }: BenchOptions): Promise<string> {
  if (against === undefined) throw new Error('Name a built checkout: --against FOLDER')
  return onCore(loadCore, () =>
    withSides(resolve(against), async (sides) => {
      for (const { service } of sides)
        await loadFront(service, 'whole', 32, { count: warmUpRequests })
      for (let round = 0; round < rounds; round++) {
        for (const way of ways) {
          for (const side of round % 2 === 0 ? sides : sides.toReversed())
            side.rounds[way].push(await measure(side.service, way))
        }
        progress(`round ${round + 1}/${rounds}`)
      }
      return describe(sides)
    }),
  )
}

async function measure(service: Service, way: Way): Promise<Round> {
  const startedMs = cpuMs(service.pid)
  const { replies, wallMs } = await loadFront(service, way, 32, { durationMs: 5000 })
  const usedMs = cpuMs(service.pid) - startedMs
  const alone = await loadFront(service, way, 1, { count: 300 })
  return {
    cpuMsPerRequest: usedMs / replies.length,
    requestsPerSecond: (replies.length * 1000) / wallMs,
    aloneMs: median(alone.replies.map(({ startMs, endMs }) => endMs - startMs)),
  }
}

function describe([now, before]: readonly [Side, Side]): string {
  const rows = ways.flatMap((way) => {
    const [ours, theirs] = [now.rounds[way], before.rounds[way]]
    const ratios = ours.map(
      ({ cpuMsPerRequest }, round) => cpuMsPerRequest / (theirs[round]?.cpuMsPerRequest ?? NaN),
    )
    return [
      [`${before.name}, ${way}`, ...figures(theirs), ''],
      [`${now.name}, ${way}`, ...figures(ours), figure(ratios, 3)],
    ]
  })
  const head = ['build', 'processor time of a request, ms', 'requests/s', 'one by one, p50, ms']
  return [
    'The scripted engine, replies of 8 tokens, 32 callers for 5 s a round, then 300 requests one by one; medians',
    'over rounds (least–most). The ratio of the processor times is taken in each round.',
    '',
    table([...head, 'ratio'], rows),
  ].join('\n')
}

function figures(rounds: readonly Round[]): string[] {
  const column = (name: keyof Round, digits: number) =>
    figure(
      rounds.map((round) => round[name]),
      digits,
    )
  return [column('cpuMsPerRequest', 3), column('requestsPerSecond', 0), column('aloneMs', 2)]
}

async function withSides(
  folder: string,
  measureAll: (sides: readonly [Side, Side]) => Promise<string>,
): Promise<string> {
  const start = (of?: string) => startScripted({ tokensPerSecond: 0, core: serverCore, folder: of })
  const now = await start()
  try {
    const before = await start(folder)
    try {
      return await measureAll([side('this build', now), side('the other build', before)])
    } finally {
      await before.stop()
    }
  } finally {
    await now.stop()
  }
}

function side(name: string, service: Service): Side {
  return { name, service, rounds: { whole: [], streamed: [] } }
}
