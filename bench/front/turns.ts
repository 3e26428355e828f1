import { resolve } from 'node:path'
import { startScripted } from './front-servers.ts'
import { loadFront, type Way } from './load-front.ts'
import { median } from '../load.ts'
import type { BenchOptions } from '../options.ts'
import { cpuMs, loadCore, onCore, serverCore } from '../process.ts'
import { figure, progress, table } from '../report.ts'
import { commitOf, type Service } from '../service.ts'

/** Number of warm-up requests for each way, after which V8 has compiled the hot functions. */
const warmUpRequests = 20_000
/** Time of one turn. Short, because other users of the machine slow it down for seconds. */
const turnMs = 250
const turns = 20
const ways: readonly Way[] = ['whole', 'streamed']

type Round = { cpuMsPerRequest: number; requestsPerSecond: number; aloneMs: number }
type Turn = { cpuMs: number; wallMs: number; requests: number }
type Side = { name: string; folder: string | undefined; rounds: Record<Way, Round[]> }
type Running = { side: Side; service: Service }

/**
 * Compares the front of this build with that of another checkout, with the scripted engine. Both services run at the
 * same time and are loaded in turns. They share one core, and the load has another. Each round restarts the services,
 * because a process may be slow for its whole life.
 */
export async function benchTurns({ rounds, against }: BenchOptions): Promise<string> {
  if (against === undefined) throw new Error('Name a built checkout: --against FOLDER')
  const folder = resolve(against)
  const sides = [side('this build', undefined), side(commitOf(folder), folder)] as const
  return onCore(loadCore, async () => {
    for (let round = 0; round < rounds; round++) {
      await runRound(round % 2 === 0 ? sides : sides.toReversed())
      progress(`round ${round + 1}/${rounds}`)
    }
    return describe(sides)
  })
}

async function runRound(sides: readonly Side[]): Promise<void> {
  const running: Running[] = []
  try {
    for (const side of sides) {
      const { folder } = side
      const service = await startScripted({ tokensPerSecond: 0, core: serverCore, folder })
      running.push({ side, service })
    }
    for (const { service } of running)
      for (const way of ways) await loadFront(service, way, 32, { count: warmUpRequests })
    for (const way of ways) await measure(running, way)
  } finally {
    for (const { service } of running) await service.stop()
  }
}

/** Adds one round to each side. */
async function measure(running: readonly Running[], way: Way): Promise<void> {
  const taken = new Map<Running, Turn[]>(running.map((one) => [one, []]))
  for (let turn = 0; turn < turns; turn++) {
    for (const one of turn % 2 === 0 ? running : running.toReversed())
      taken.get(one)?.push(await takeTurn(one.service, way))
  }
  for (const [{ side, service }, all] of taken) {
    const sum = (name: keyof Turn) => all.reduce((total, turn) => total + turn[name], 0)
    const { replies } = await loadFront(service, way, 1, { count: 300 })
    side.rounds[way].push({
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
    'The scripted engine, replies of 8 tokens; each side with the memory settings of its `npm start`. A round starts both',
    `sides; they take ${turns} turns of ${turnMs} ms with 32 callers, then 300 requests come one by one. Medians over rounds`,
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

function side(name: string, folder: string | undefined): Side {
  return { name, folder, rounds: { whole: [], streamed: [] } }
}
