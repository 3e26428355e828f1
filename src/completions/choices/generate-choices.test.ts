import { expect, test } from 'vitest'
import type { Engine, GenerationRequest, Prompt } from '../../engine/engine.ts'
import { ScriptedEngine } from '../../engine/scripted-engine.ts'
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

const requestFor = (prompt: Prompt): GenerationRequest => ({
  prompt,
  maxTokens: 10,
  sampling: { temperature: 1, topP: 1, topK: 0, minP: 0, seed: 7 },
  stop: [],
  cacheScope: '',
})

test('when one fails the others are aborted, and their events come before the error', async () => {
  // One token per hour, so only an abort ends a generation.
  const slow = scripted(1 / 3600)
  const failing = scripted(0, { marker: 'Hi', afterTokens: 2 })
  const prompt = await failing.prepare([{ role: 'user', content: 'Hi' }], never)
  const engine: Pick<Engine, 'generate'> = {
    generate: (request, signal) =>
      (request.sampling.seed === 8 ? failing : slow).generate(request, signal),
  }
  const request = requestFor(prompt)
  const seen: ChoiceEvent[] = []
  const reading = async () => {
    for await (const event of generateChoices(
      engine,
      request,
      { choices: 3, slots: () => 3 },
      never,
    ))
      seen.push(event)
  }
  await expect(reading()).rejects.toMatchObject({ code: 'engine_failed' })
  const ends = seen.filter(({ type }) => type === 'finish')
  expect(ends).toMatchObject([0, 2].map((index) => ({ index, reason: 'aborted' })))
  expect(seen.filter(({ index }) => index === 1).length).toBe(2)
  expect(slow.stats().slotsBusy).toBe(0)
})

test('with fewer slots than choices the next choice starts when one has ended', async () => {
  const engine = new ScriptedEngine({
    slots: 2,
    contextTokens: 4096,
    prefillMs: 0,
    tokensPerSecond: 0,
  })
  const request = requestFor(await engine.prepare([{ role: 'user', content: 'Hi' }], never))
  const ends: (number | undefined)[] = []
  for await (const { type, index } of generateChoices(
    engine,
    request,
    { choices: 4, slots: () => 2 },
    never,
  ))
    if (type === 'finish') ends.push(index)
  expect(new Set(ends)).toEqual(new Set([0, 1, 2, 3]))
  expect(ends).toHaveLength(4)
})

test('after an abort every choice reports its end, also one that had not started', async () => {
  const engine = scripted(1 / 3600)
  const request = requestFor(await engine.prepare([{ role: 'user', content: 'Hi' }], never))
  const control = new AbortController()
  const ends: ChoiceEvent[] = []
  for await (const event of generateChoices(
    engine,
    request,
    { choices: 3, slots: () => 2 },
    control.signal,
  )) {
    control.abort()
    if (event.type === 'finish') ends.push(event)
  }
  expect(ends).toMatchObject(Array.from({ length: 3 }, () => ({ reason: 'aborted' })))
})

test('a reader that stops early gets control back when all slots are free', async () => {
  const engine = scripted(1 / 3600)
  const request = requestFor(await engine.prepare([{ role: 'user', content: 'Hi' }], never))
  const width = { choices: 3, slots: () => 3 }
  for await (const { type } of generateChoices(engine, request, width, never))
    if (type === 'delta') break
  expect(engine.stats().slotsBusy).toBe(0)
})
