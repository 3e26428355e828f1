import { afterEach, expect, test, vi } from 'vitest'
import { ScriptedEngine } from '../engine/scripted-engine.ts'
import { queueWaitMaxMs } from '../limits.ts'
import { preparePrompt } from './prepare-prompt.ts'

const engine = new ScriptedEngine({ slots: 1, contextTokens: 64, tokensPerSecond: 1, prefillMs: 0 })
const sampling = { temperature: 0, topP: 1, topK: 0, minP: 0, seed: 1 }
const messages = [{ role: 'user', content: 'Hi' }] as const
const generation = { sampling, format: undefined }

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Makes the engine wait for a model that is never loaded. */
function makeAway(): void {
  vi.spyOn(engine, 'prepare').mockImplementation(
    (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      }),
  )
}

test('a request that waits too long for the model gets model_loading, with a time to retry', async () => {
  vi.useFakeTimers()
  makeAway()
  vi.spyOn(engine, 'state', 'get').mockReturnValue('restarting')
  const prepared = preparePrompt(engine, messages, generation, new AbortController())
  // Added before the clock advances, so that the rejection is always handled.
  const refusal = prepared.catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(queueWaitMaxMs)
  expect(await refusal).toMatchObject({ code: 'model_loading', retryAfterMs: 2000 })
  expect(vi.getTimerCount()).toBe(0)
})

test('a request that waits too long behind others gets overloaded', async () => {
  vi.useFakeTimers()
  makeAway()
  const prepared = preparePrompt(engine, messages, generation, new AbortController())
  const refusal = prepared.catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(queueWaitMaxMs)
  expect(await refusal).toMatchObject({
    code: 'overloaded',
    retryAfterMs: 2000,
    dropReason: undefined,
  })
})

test('a request waits no longer than its caller allows, and then says so', async () => {
  makeAway()
  const control = new AbortController()
  const prepared = preparePrompt(engine, messages, generation, control, 20)
  await expect(prepared).rejects.toMatchObject({ code: 'overloaded', dropReason: 'deadline' })
})

test('a request that is aborted meanwhile stops waiting', async () => {
  makeAway()
  const leaving = new AbortController()
  const prepared = preparePrompt(engine, messages, generation, leaving)
  leaving.abort(new Error('gone'))
  await expect(prepared).rejects.toThrow('gone')
})
