import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EmbeddedEngine } from '../../../src/engine/embedded/embedded-engine.ts'
import { collect, complete, requestFor, say } from '../../support/engine/engine-fixtures.ts'
import { recordFinding } from '../../support/reliability.ts'
import { startLyingEngine } from './start-lying-engine.ts'

let engine: EmbeddedEngine
let close: () => Promise<void>
beforeEach(async () => {
  ;({ engine, close } = await startLyingEngine())
})
afterEach(() => close())

const good = { text: 'good reply', finish: { reason: 'stop', completionTokens: 2 } }

test.each(['unknown ids', 'late tokens', 'two ends'])(
  'the engine process sends %s: they are dropped, and no reply changes (F18)',
  async (lie) => {
    const [one, lying, other] = await Promise.all(['hello', lie, 'hello'].map(completed))
    for (const reply of [one, lying, other]) expect(reply).toMatchObject(good)
    expect(await completed('hello')).toMatchObject(good)
    expect(engine.stats()).toMatchObject({ slotsBusy: 0, restarts: 0 })
  },
)

test.each(['endless tokens', 'an endless count'])(
  'the engine process sends %s: the request fails, and others are answered (F18)',
  async (lie) => {
    await expect(completed(lie)).rejects.toMatchObject({ code: 'engine_failed' })
    expect(await completed('hello')).toMatchObject(good)
    expect(engine.stats()).toMatchObject({ slotsBusy: 0, restarts: 0 })
  },
)

test('the engine process sends a log-probability with a value that JSON cannot express: it is dropped (F18)', async () => {
  expect(await completed('a strange logprob')).toMatchObject(good)
})

test('the engine process sends tokens and another end after an abort: they are dropped (F18)', async () => {
  const request = requestFor(await say(engine, 'late after abort'))
  const abort = new AbortController()
  const events = engine.generate(request, abort.signal)
  expect((await events.next()).value).toMatchObject({ type: 'delta', text: 'good ' })
  abort.abort()
  const { finish } = await collect(events)
  expect(finish).toMatchObject({ reason: 'aborted' })
  expect(await completed('hello')).toMatchObject(good)
  expect(engine.stats()).toMatchObject({ slotsBusy: 0, restarts: 0 })
})

test.each([
  'no event',
  'no message',
  'too many events',
  'no value',
  'half a value',
  'a length of 4 GB',
])(
  'the engine process sends %s: it is replaced, the request is refused after two attempts, and others are answered (F18)',
  async (lie) => {
    await expect(completed(lie)).rejects.toMatchObject({ code: 'engine_failed' })
    expect(await completed('hello')).toMatchObject(good)
    const { slotsBusy, restarts } = engine.stats()
    expect([slotsBusy, restarts]).toEqual([0, 2])
    recordFinding(
      'F18',
      `The engine process sent ${lie}: it was replaced ${restarts} times, the request got engine_failed, and the next one its reply.`,
    )
  },
  20_000,
)

const completed = (content: string) => complete(engine, content)
