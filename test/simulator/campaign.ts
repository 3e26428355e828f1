import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Schedule } from './schedule.ts'

/** The work of one thread. The seeds run from `from` to `to - 1`. */
export type Task =
  | { type: 'campaign'; from: number; to: number }
  /** Runs the schedule of one seed; if it fails, looks for a smaller one that fails too. */
  | { type: 'replay'; seed: number }
  /** Applies each sabotage, and looks for a seed that detects it. */
  | { type: 'sabotages'; from: number; to: number }

export type CampaignResult = {
  schedules: number
  /** Number of requests. `starts` is the number of starts of the service. */
  attempts: number
  starts: number
  /** Number of requests by the way they ended. */
  ends: Record<string, number>
  failures: { seed: number; faults: string[] }[]
}

export type Replay = {
  faults: string[]
  /** One line for each end of a request or of a process. */
  journal: string
  /** The smallest schedule found that still fails; undefined if the seed passed. */
  smallest: Schedule | undefined
}

/** The seed that detected each sabotage, and the first fault; undefined if no seed did. */
export type SabotagesFound = Record<string, { seed: number; fault: string } | undefined>

/** Simulates the schedules of many seeds, on as many threads as there are processors. */
export async function runCampaign(
  { from, to }: { from: number; to: number },
  threads = availableParallelism(),
): Promise<CampaignResult> {
  const size = Math.ceil((to - from) / threads)
  const results = await Promise.all(
    Array.from({ length: threads }, (_, part) => {
      const start = Math.min(to, from + part * size)
      const task = { type: 'campaign', from: start, to: Math.min(to, start + size) } as const
      return runTask(task) as Promise<CampaignResult>
    }),
  )
  return results.reduce(add)
}

export function replay(seed: number): Promise<Replay> {
  return runTask({ type: 'replay', seed }) as Promise<Replay>
}

export function findSabotages(seeds: { from: number; to: number }): Promise<SabotagesFound> {
  return runTask({ type: 'sabotages', ...seeds }) as Promise<SabotagesFound>
}

/** Returns a text about the seeds that failed and how to run them again; '' if none failed. */
export async function describeFailures({ failures }: CampaignResult): Promise<string> {
  const [first] = failures
  if (first === undefined) return ''
  const { smallest } = await replay(first.seed)
  return [
    ...failures.slice(0, 20).map(({ seed, faults }) => `SIM_SEED=${seed}: ${faults[0]}`),
    `${failures.length} seeds failed. The smallest schedule that fails like SIM_SEED=${first.seed}:`,
    JSON.stringify(smallest, null, 1),
  ].join('\n')
}

/** Runs on a thread of its own, because the simulated clock replaces the clock of a whole thread. */
function runTask(task: Task): Promise<unknown> {
  const file = new URL('./simulator-thread.ts', import.meta.url)
  const thread = new Worker(file, { workerData: task, execArgv: [], name: 'simulator' })
  return new Promise((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', (code) => reject(new Error(`a simulator thread ended (${code})`)))
  })
}

function add(a: CampaignResult, b: CampaignResult): CampaignResult {
  const ends = { ...a.ends }
  for (const [end, count] of Object.entries(b.ends)) ends[end] = (ends[end] ?? 0) + count
  return {
    schedules: a.schedules + b.schedules,
    attempts: a.attempts + b.attempts,
    starts: a.starts + b.starts,
    ends,
    failures: [...a.failures, ...b.failures],
  }
}
