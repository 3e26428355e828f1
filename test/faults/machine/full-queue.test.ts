import { afterEach, beforeEach, expect, test } from 'vitest'
import { queueMax, queueOfKeyMax } from '../../../src/limits.ts'
import { addAccountWithKey } from '../../support/accounts.ts'
import { startProcess, type ServeProcess } from '../../support/process.ts'
import { recordFinding } from '../../support/reliability.ts'
import { question } from '../../support/service.ts'

const slots = 4
const places = slots + queueMax
const extra = 40
/** Time within which a request beyond the queue must be refused after the engine has died. */
const refusalMs = 1000

let service: ServeProcess
beforeEach(async () => {
  service = await startProcess({ PIPIT_SLOTS: String(slots) })
})
afterEach(() => service.dispose())

type Answer = { status: number; body: unknown; reason: string | null; tookMs: number }

async function ask(key: string): Promise<Answer> {
  const startMs = performance.now()
  const response = await service.post({ ...question, max_tokens: 4 }, { key })
  const body = await response.json()
  const reason = response.headers.get('x-drop-reason')
  return { status: response.status, body, reason, tookMs: performance.now() - startMs }
}

const askTimes = (count: number, key: string): Promise<Answer>[] =>
  Array.from({ length: count }, () => ask(key))

test('when the engine dies with a full queue, requests beyond it get 503 within a second, and the queued ones are answered (G5)', async () => {
  const { key: second } = await addAccountWithKey(service, 'second')
  const isKnown = async () => (await ask(second)).status === 200
  await expect.poll(isKnown).toBe(true)
  const engine = service.enginePid() ?? 0
  process.kill(engine, 'SIGSTOP')
  const queued = [
    ...askTimes(queueOfKeyMax, service.key),
    ...askTimes(places - queueOfKeyMax, second),
  ]
  const waiting = async () =>
    Number(/^pipit_requests_waiting (\S+)$/m.exec(await service.metrics())?.[1])
  await expect.poll(waiting).toBe(places)

  process.kill(engine, 'SIGKILL')
  const late = await Promise.all(askTimes(extra, second))
  const refused = late.filter(({ status }) => status !== 200)
  // A request that arrives after the restart may find a place.
  expect(refused.length).toBeGreaterThan(0)
  for (const { status, body, reason, tookMs } of refused) {
    expect([status, reason]).toEqual([503, 'no_place'])
    expect(body).toMatchObject({ error: { code: 'overloaded' } })
    expect(tookMs).toBeLessThan(refusalMs)
  }
  const answers = await Promise.all(queued)
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  const longestMs = Math.round(Math.max(...refused.map(({ tookMs }) => tookMs)))
  recordFinding(
    'G5',
    `The engine was killed while ${places} requests had all places: of ${extra} requests sent at that moment ${refused.length} got 503, the last one after ${longestMs} ms; all ${answers.length} others were answered by the next engine process.`,
  )
})
