import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Arrival } from './arrivals.ts'
import type { Done, Manner, Task } from './load-process.ts'
import { clockMs } from './send-request.ts'

const script = fileURLToPath(new URL('load-process.ts', import.meta.url))
/** Number of client processes of an open loop. */
const clients = 2
/** Time that a client process gets to start. */
const startMs = 1_500

export type Load = Done & {
  /** Start of the load, on the same clock as the times of the outcomes. */
  startMs: number
}

/** Sends the arrivals from two processes, each of which sends every second one. */
export async function sendOpenLoad(manner: Manner, arrivals: readonly Arrival[]): Promise<Load> {
  const beginMs = clockMs() + startMs
  const parts = Array.from({ length: clients }, (_, part) =>
    arrivals.filter((_arrival, index) => index % clients === part),
  )
  const tasks = parts.map((part) => ({
    ...manner,
    type: 'open' as const,
    startMs: beginMs,
    arrivals: part,
  }))
  return { ...merge(await Promise.all(tasks.map(runTask))), startMs: beginMs }
}

/** Runs a closed loop in a separate process. */
export async function sendClosedLoad(
  manner: Manner,
  load: { durationMs: number; parallel: number; seed: number; disconnectShare?: number },
): Promise<Load> {
  const beginMs = clockMs()
  const { durationMs, ...rest } = load
  const task = { ...manner, ...rest, type: 'closed' as const, endMs: beginMs + durationMs }
  return { ...(await runTask(task)), startMs: beginMs }
}

/** Runs one task in a client process. */
export function runTask(task: Task): Promise<Done> {
  return new Promise((resolve, reject) => {
    const child = fork(script, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    const kill = () => child.kill('SIGKILL')
    process.once('exit', kill)
    child.once('message', (done) => resolve(done as Done))
    child.once('error', reject)
    child.once('exit', (code) => {
      process.off('exit', kill)
      if (code !== 0) reject(new Error(`a client process ended with ${code}`))
    })
    child.send(task)
  })
}

function merge(parts: readonly Done[]): Done {
  const most = (read: (done: Done) => number) => Math.max(...parts.map(read))
  return {
    outcomes: parts.flatMap(({ outcomes }) => outcomes),
    loopDelayP99Ms: most(({ loopDelayP99Ms }) => loopDelayP99Ms),
    cpuShare: most(({ cpuShare }) => cpuShare),
  }
}
