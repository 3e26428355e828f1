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

/** An engine whose model is being loaded, and will not be in time. */
function makeAway(): void {
  vi.spyOn(engine, 'prepare').mockImplementation(
    (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      }),
  )
}

test('who waits too long for the model is told model_loading, with a time to come back', async () => {
  vi.useFakeTimers()
  makeAway()
  const prepared = preparePrompt(engine, messages, generation, new AbortController().signal)
  // Before the time passes, or the refusal would be nobody's.
  const told = prepared.catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(queueWaitMaxMs)
  expect(await told).toMatchObject({ code: 'model_loading', retryAfterMs: 2000 })
  expect(vi.getTimerCount()).toBe(0)
})

test('who leaves meanwhile is not kept', async () => {
  makeAway()
  const leaving = new AbortController()
  const prepared = preparePrompt(engine, messages, generation, leaving.signal)
  leaving.abort(new Error('gone'))
  await expect(prepared).rejects.toThrow('gone')
})
