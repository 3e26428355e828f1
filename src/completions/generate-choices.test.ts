import { expect, test } from 'vitest'
import type { Engine, GenerationRequest } from '../engine/engine.ts'
import { ScriptedEngine } from '../engine/scripted-engine.ts'
import { generateChoices, type ChoiceEvent } from './generate-choices.ts'

const never = new AbortController().signal
const scripted = (tokensPerSecond: number, failure?: { marker: string; afterTokens: number }) =>
  new ScriptedEngine({
    slots: 4,
    contextTokens: 4096,
    prefillMs: 0,
    tokensPerSecond,
    ...(failure && { failure }),
  })

test('when one fails the others are aborted, and what they sampled is told before the error', async () => {
  // An hour a token: only an abort ends them.
  const slow = scripted(1 / 3600)
  const failing = scripted(0, { marker: 'Hi', afterTokens: 2 })
  const prompt = await failing.prepare([{ role: 'user', content: 'Hi' }], never)
  const engine: Pick<Engine, 'generate'> = {
    generate: (request, signal) =>
      (request.sampling.seed === 8 ? failing : slow).generate(request, signal),
  }
  const request: GenerationRequest = {
    prompt,
    maxTokens: 10,
    sampling: { temperature: 1, topP: 1, topK: 0, minP: 0, seed: 7 },
    stop: [],
    cacheScope: '',
  }
  const seen: ChoiceEvent[] = []
  const reading = async () => {
    for await (const event of generateChoices(engine, request, { choices: 3, slots: 3 }, never))
      seen.push(event)
  }
  await expect(reading()).rejects.toMatchObject({ code: 'engine_failed' })
  const ends = seen.filter(({ event }) => event.type === 'finish')
  expect(ends).toMatchObject([0, 2].map((index) => ({ index, event: { reason: 'aborted' } })))
  expect(seen.filter(({ index }) => index === 1).length).toBe(2)
  expect(slow.stats().slotsBusy).toBe(0)
})
