import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { startScripted } from './front-servers.ts'
import { loadFront, type Way } from './load-front.ts'
import { median } from '../load.ts'
import type { BenchOptions } from '../options.ts'
import { cpuMs, loadCore, onCore, serverCore } from '../process.ts'
import { figure, progress, table } from '../report.ts'
import type { Service } from '../service.ts'

const warmUpRequests = 5000
/** Short, because neighbours of the machine slow it down for seconds. */
const turnMs = 250
const turns = 20
const ways: readonly Way[] = ['whole', 'streamed']

type Round = { cpuMsPerRequest: number; requestsPerSecond: number; aloneMs: number }
type Turn = { cpuMs: number; wallMs: number; requests: number }
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
        for (const way of ways) await measure(sides, way)
        progress(`round ${round + 1}/${rounds}`)
      }
      return describe(sides)
    }),
  )
}

/** Adds one round to each side. */
async function measure(sides: readonly Side[], way: Way): Promise<void> {
  const taken = new Map<Side, Turn[]>(sides.map((side) => [side, []]))
  for (let turn = 0; turn < turns; turn++) {
    for (const side of turn % 2 === 0 ? sides : sides.toReversed())
      taken.get(side)?.push(await takeTurn(side.service, way))
  }
  for (const [{ service, rounds }, all] of taken) {
    const sum = (name: keyof Turn) => all.reduce((total, turn) => total + turn[name], 0)
    const { replies } = await loadFront(service, way, 1, { count: 300 })
    rounds[way].push({
      cpuMsPerRequest: sum('cpuMs') / sum('requests'),
      requestsPerSecond: (sum('requests') * 1000) / sum('wallMs'),
      aloneMs: median(replies.map(({ startMs, endMs }) => endMs - startMs)),
    })
  }
}

async function takeTurn(service: Service, way: Way): Promise<Turn> {
  const startedMs = cpuMs(service.pid)
  const { replies, wallMs } = await loadFront(service, way, 32, { durationMs: turnMs })
  const usedMs = cpuMs(service.pid) - startedMs
  return { cpuMs: usedMs, wallMs, requests: replies.length }
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
    'The scripted engine, replies of 8 tokens; each side with the memory settings of its `npm start`. In a round the',
    `sides take ${turns} turns of ${turnMs} ms with 32 callers, then 300 requests come one by one. Medians over rounds`,
    '(least–most). The ratio of the processor times is taken in each round.',
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
      return await measureAll([side('this build', now), side(commitOf(folder), before)])
    } finally {
      await before.stop()
    }
  } finally {
    await now.stop()
  }
}

function commitOf(folder: string): string {
  const args = ['-C', folder, 'rev-parse', '--short', 'HEAD']
  return execFileSync('git', args, { encoding: 'utf8' }).trim()
}

function side(name: string, service: Service): Side {
  return { name, service, rounds: { whole: [], streamed: [] } }
}
