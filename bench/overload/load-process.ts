// A client in its own process: `load-clients.ts` starts it and sends it one task.
import { Agent } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { randomNumbers } from '../../test/support/random/random-numbers.ts'
import { requestWriter, type Arrival, type PlannedRequest } from './arrivals.ts'
import { clockMs, sendRequest, type Outcome } from './send-request.ts'

/** Service, API keys and timeout of the clients. */
export type Manner = {
  url: string
  keys: readonly (string | undefined)[]
  patienceMs: number
}

export type Task = Manner &
  (
    | { type: 'open'; startMs: number; arrivals: readonly Arrival[] }
    /** A closed loop of `parallel` callers. Each sends its next request when its last one has ended. */
    | {
        type: 'closed'
        endMs: number
        parallel: number
        seed: number
        /** The request that all callers send; default: mixed ones. */
        request?: PlannedRequest
        /** Share of the requests whose client hangs up before the reply is whole; default: 0. */
        disconnectShare?: number
      }
  )

/** The outcomes of the task, and the load of the process itself. */
export type Done = { outcomes: Outcome[]; loopDelayP99Ms: number; cpuShare: number }

process.once('message', (task) => {
  void report(task as Task)
})
process.once('disconnect', () => process.exit(1))

async function report(task: Task): Promise<void> {
  const done = await run(task)
  process.send?.(done, () => process.exit(0))
}

async function run(task: Task): Promise<Done> {
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  const cpu = process.cpuUsage()
  const beginMs = clockMs()
  // llama-server closes its connection after each stream, so every request gets a connection of its own.
  const agent = new Agent({ keepAlive: false, maxSockets: Infinity })
  const send = ({ caller, body }: PlannedRequest, intendedMs: number, ownMs?: number) => {
    const { url, keys } = task
    const patienceMs = ownMs ?? task.patienceMs
    const key = keys[caller % keys.length]
    return sendRequest({ url, key, agent, body, intendedMs, patienceMs })
  }
  const outcomes = task.type === 'open' ? await runOpen(task, send) : await runClosed(task, send)
  const { user, system } = process.cpuUsage(cpu)
  const cpuShare = (user + system) / 1000 / (clockMs() - beginMs)
  return { outcomes, loopDelayP99Ms: delays.percentile(99) / 1e6 - 5, cpuShare }
}

type Send = (request: PlannedRequest, intendedMs: number, patienceMs?: number) => Promise<Outcome>

async function runOpen(
  { arrivals, startMs }: Extract<Task, { type: 'open' }>,
  send: Send,
): Promise<Outcome[]> {
  const sent: Promise<Outcome>[] = []
  for (const arrival of arrivals) {
    const dueMs = startMs + arrival.atMs
    const waitMs = dueMs - clockMs()
    // A timer is up to a millisecond late, so requests that are due within a millisecond are sent now.
    if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs))
    sent.push(send(arrival, dueMs))
  }
  return Promise.all(sent)
}

async function runClosed(
  { endMs, parallel, seed, request, disconnectShare = 0 }: Extract<Task, { type: 'closed' }>,
  send: Send,
): Promise<Outcome[]> {
  const write = requestWriter(seed)
  const random = randomNumbers(seed)
  const outcomes: Outcome[] = []
  let abandoned = 0
  let wholeMs = 500
  const call = async () => {
    while (clockMs() < endMs) {
      // A short reply can be whole before its client hangs up. Then the next client hangs up instead.
      const hangsUp = abandoned < disconnectShare * outcomes.length
      const patienceMs = hangsUp ? wholeMs * random() : undefined
      const outcome = await send(request ?? write(), clockMs(), patienceMs)
      outcomes.push(outcome)
      if (outcome.ending === 'abandoned') abandoned += 1
      if (outcome.ending === 'whole') wholeMs += 0.1 * (outcome.endMs - outcome.sentMs - wholeMs)
      // A refused caller pauses before its next request.
      if (outcome.ending === 'refused' || outcome.ending === 'broken')
        await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
  await Promise.all(Array.from({ length: parallel }, call))
  return outcomes
}
