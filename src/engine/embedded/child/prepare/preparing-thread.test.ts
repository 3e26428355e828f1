import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { hostileSchemas } from '../../../../../test/support/schemas/hostile-schemas.ts'
import {
  grammarQuickWorkMax,
  grammarWorkMax,
  prepareIdleMs,
  prepareTimeoutMs,
} from '../../../../limits.ts'
import type { ChatMessage } from '../../../engine.ts'
import { workerCpuMs } from '../processor-time.ts'
import { PreparingThread } from './preparing-thread.ts'
import type { ThreadJob, ThreadReply } from './thread-messages.ts'

const echo = "{% for m in messages %}{{ m['content'] }}{% endfor %}"
/** A template whose rendering never ends if the first message is `turn`. */
const hanging =
  "{% if messages[0]['content'] == 'turn' %}{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}{% endif %}{{ messages[0]['content'] }}"

let thread: PreparingThread
const start = (source = echo, timeoutMs?: number): void => {
  const constants = { bos_token: '', eos_token: '' }
  const template = { source, constants, specialTexts: new Map(), controlTexts: [] }
  thread = new PreparingThread(template, timeoutMs)
}
afterEach(async () => {
  vi.useRealTimers()
  await thread.close()
})

const replies: ThreadReply[] = []
function run(job: Omit<ThreadJob, 'workMax'> & { workMax?: number }): Promise<ThreadReply> {
  return new Promise((resolve) => {
    const reply = (ended: ThreadReply): void => {
      replies.push(ended)
      resolve(ended)
    }
    thread.add({ id: job.id, job: () => ({ workMax: grammarWorkMax, ...job }), reply })
  })
}
const conversation = (content: string) => {
  const messages: ChatMessage[] = [{ role: 'user', content }]
  return { messages, tools: [] }
}
const formatOf = (schema: unknown) =>
  ({ type: 'json_schema', schema: JSON.stringify(schema), at: 'response_format' }) as const
const hostile = formatOf(hostileSchemas[0]?.[1])

test('it compiles and renders', async () => {
  start()
  const job = { id: 1, format: formatOf({ type: 'null' }), conversation: conversation('Hello') }
  expect(await run(job)).toMatchObject({
    type: 'done',
    grammar: expect.any(Int32Array),
    pieces: [{ text: 'Hello' }],
  })
})

describe('a schema', () => {
  test('that needs more than a first attempt is postponed, and then compiled or refused (T47)', async () => {
    start()
    const reply = await run({ id: 1, format: hostile, workMax: grammarQuickWorkMax })
    expect(reply).toEqual({ type: 'postponed', id: 1 })
    expect(await run({ id: 2, format: hostile })).toMatchObject({
      type: 'refused',
      reason: 'schema',
      path: 'response_format',
    })
  })

  test('that cannot be enforced is refused by name', async () => {
    start()
    expect(await run({ id: 1, format: formatOf({ not: { format: 'email' } }) })).toMatchObject({
      type: 'refused',
      reason: 'schema',
      path: 'response_format.not',
    })
  })
})

describe('cancelling (T48)', () => {
  test('drops the jobs that wait', async () => {
    start()
    const running = run({ id: 1, conversation: conversation('Hello') })
    const waiting = run({ id: 2, conversation: conversation('Hello') })
    thread.cancel(2)
    expect(await waiting).toEqual({ type: 'cancelled', id: 2 })
    expect(await running).toMatchObject({ type: 'done', id: 1 })
    expect(thread.done).toBe(1)
  })

  test('stops a template that never ends within 50 ms, and the next job is done', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    start(hanging)
    // After this first job the thread has started, so the second one is running when it is cancelled.
    await run({ id: 1, conversation: conversation('Hello') })
    const running = run({ id: 2, conversation: conversation('turn') })
    const next = run({ id: 3, conversation: conversation('next') })
    thread.cancel(2)
    await vi.advanceTimersByTimeAsync(50)
    expect(thread.done).toBe(2)
    expect(await running).toEqual({ type: 'cancelled', id: 2 })
    expect(await next).toMatchObject({ type: 'done', pieces: [{ text: 'next' }] })
  })
})

describe('a job that takes too long', () => {
  const turn = { id: 2, conversation: conversation('turn') }
  const startFirst = async (timeoutMs?: number): Promise<void> => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    start(hanging, timeoutMs)
    await run({ id: 1, conversation: conversation('Hello') })
  }

  test('may be sent again if it got little processor time, and the next job is done', async () => {
    await startFirst()
    const running = run(turn)
    const next = run({ id: 3, conversation: conversation('next') })
    await vi.advanceTimersByTimeAsync(prepareTimeoutMs)
    expect(await running).toMatchObject({ type: 'refused', id: 2, reason: 'busy' })
    expect(await next).toMatchObject({ type: 'done', pieces: [{ text: 'next' }] })
  })

  test('may be sent again if its thread did not start', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    start()
    const running = run({ id: 1, conversation: conversation('Hello') })
    await vi.advanceTimersByTimeAsync(prepareTimeoutMs)
    expect(await running).toMatchObject({ type: 'refused', id: 1, reason: 'busy' })
  })

  test('is refused for good if it really computed', async ({ skip }) => {
    skip(!('cpuUsage' in Worker.prototype), 'this Node cannot ask a thread for its processor time')
    const post = vi.spyOn(Worker.prototype, 'postMessage')
    await startFirst(100)
    const [worker] = post.mock.contexts as Worker[]
    post.mockRestore()
    const cpuMs = async () => (worker && (await workerCpuMs(worker, 1000))) ?? 0
    const beganMs = await cpuMs()
    const running = run(turn)
    while ((await cpuMs()) < beganMs + 100) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(100)
    const refusal = { reason: 'conversation', message: 'it takes too long' }
    expect(await running).toMatchObject({ type: 'refused', ...refusal })
  })

  test('has all its time when the thread has started', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    start(hanging)
    const running = run(turn)
    await vi.advanceTimersByTimeAsync(prepareTimeoutMs - 1)
    while (thread.progress === 0) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(prepareTimeoutMs - 1)
    expect(thread.done).toBe(0)
    thread.cancel(2)
    await vi.advanceTimersByTimeAsync(prepareTimeoutMs)
    expect(await running).toMatchObject({ type: 'cancelled' })
  })
})

test('an urgent job comes before those that wait', async () => {
  start()
  replies.length = 0
  const first = run({ id: 1, conversation: conversation('a') })
  const second = run({ id: 2, conversation: conversation('b') })
  const urgent = new Promise<ThreadReply>((reply) =>
    thread.add({ id: 3, job: () => ({ id: 3, workMax: 1 }), reply }, true),
  )
  await Promise.all([first, second, urgent.then((ended) => replies.push(ended))])
  expect(replies.map(({ id }) => id)).toEqual([1, 3, 2])
})

test('a thread without work ends, and the next job starts another', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  start()
  await run({ id: 1, conversation: conversation('a') })
  await vi.advanceTimersByTimeAsync(prepareIdleMs)
  expect(await run({ id: 2, conversation: conversation('b') })).toMatchObject({ type: 'done' })
})
