import { expect, test, vi } from 'vitest'
import type { GenerationEvent, GenerationRequest } from './engine.ts'
import { ScriptedEngine, type ScriptedEngineOptions } from './scripted-engine.ts'

const never = new AbortController().signal

function create(options: Partial<ScriptedEngineOptions> = {}): ScriptedEngine {
  return new ScriptedEngine({
    slots: 1,
    contextTokens: 100,
    tokensPerSecond: 0,
    prefillMs: 0,
    ...options,
  })
}

async function run(
  engine: ScriptedEngine,
  content: string,
  overrides: Partial<GenerationRequest> = {},
  signal = never,
): Promise<GenerationEvent[]> {
  const prompt = await engine.prepare([{ role: 'user', content }], never)
  const sampling = { temperature: 0, topP: 1, topK: 0, minP: 0, seed: 1 }
  const request = { prompt, maxTokens: 50, sampling, stop: [], cacheScope: '', ...overrides }
  const events: GenerationEvent[] = []
  for await (const event of engine.generate(request, signal)) events.push(event)
  return events
}

const textOf = (events: GenerationEvent[]): string =>
  events.map((event) => (event.type === 'delta' ? event.text : '')).join('')

test('a word is a token, and the end of the reply is one more', async () => {
  const events = await run(create({ reply: () => 'one two three' }), 'Hello')
  expect(events).toEqual([
    { type: 'delta', text: 'one ', tokens: 1 },
    { type: 'delta', text: 'two ', tokens: 1 },
    { type: 'delta', text: 'three', tokens: 1 },
    { type: 'delta', text: '', tokens: 1 },
    { type: 'finish', reason: 'stop', completionTokens: 4, cachedTokens: 0 },
  ])
})

test('the made-up reply quotes the message and depends on it alone', async () => {
  const [one, again, other] = [
    textOf(await run(create(), 'A bird sings')),
    textOf(await run(create(), 'A bird sings')),
    textOf(await run(create(), 'Another bird sings')),
  ]
  expect(one).toMatch(/^You said “A bird sings”\. Here .*\.$/)
  expect(again).toBe(one)
  expect(other).not.toBe(one)
})

test('at a temperature above 0 the seed matters', async () => {
  const sampling = { temperature: 1, topP: 1, topK: 0, minP: 0 }
  const [one, again, other] = [
    textOf(await run(create(), 'Hello', { sampling: { ...sampling, seed: 1 } })),
    textOf(await run(create(), 'Hello', { sampling: { ...sampling, seed: 1 } })),
    textOf(await run(create(), 'Hello', { sampling: { ...sampling, seed: 2 } })),
  ]
  expect(again).toBe(one)
  expect(other).not.toBe(one)
})

test('a conversation with the marker fails after the given number of tokens', async () => {
  const engine = create({ failure: { marker: 'crash', afterTokens: 2 }, reply: () => 'a b c d' })
  const events: GenerationEvent[] = []
  const prompt = await engine.prepare([{ role: 'user', content: 'please crash' }], never)
  const sampling = { temperature: 0, topP: 1, topK: 0, minP: 0, seed: 1 }
  const request = { prompt, maxTokens: 50, sampling, stop: [], cacheScope: '' }
  const failing = (async () => {
    for await (const event of engine.generate(request, never)) events.push(event)
  })()
  await expect(failing).rejects.toMatchObject({ code: 'engine_failed' })
  expect(textOf(events)).toBe('a b ')
  expect(textOf(await run(engine, 'Hello'))).toBe('a b c d')
})

test('keeps its speed, and leaves no timer behind when it is aborted', async () => {
  vi.useFakeTimers()
  try {
    const engine = create({ tokensPerSecond: 10, prefillMs: 500, reply: () => 'a b c d e' })
    const abort = new AbortController()
    const events = run(engine, 'Hello', {}, abort.signal)
    await vi.advanceTimersByTimeAsync(750)
    abort.abort()
    expect(vi.getTimerCount()).toBe(0)
    expect((await events).at(-1)).toMatchObject({ reason: 'aborted', completionTokens: 3 })
  } finally {
    vi.useRealTimers()
  }
})

test('a generation beyond its slots is a bug of the caller', async () => {
  const engine = create({ slots: 2, tokensPerSecond: 1 })
  const stop = new AbortController()
  const running = [run(engine, 'a', {}, stop.signal), run(engine, 'b', {}, stop.signal)]
  await vi.waitFor(() => expect(engine.stats().slotsBusy).toBe(2))
  await expect(run(engine, 'c')).rejects.toThrow('a generation without a slot')
  stop.abort()
  await Promise.all(running)
  expect(engine.stats().slotsBusy).toBe(0)
})

test('a slot is free as soon as its finish arrives', async () => {
  const engine = create({ slots: 1, reply: () => 'a' })
  const prompt = await engine.prepare([{ role: 'user', content: 'Hello' }], never)
  const sampling = { temperature: 0, topP: 1, topK: 0, minP: 0, seed: 1 }
  const request = { prompt, maxTokens: 1, sampling, stop: [], cacheScope: '' }
  for await (const event of engine.generate(request, never))
    if (event.type === 'finish') expect(engine.stats().slotsBusy).toBe(0)
})

test('the gate holds a reply before a token until its promise is kept', async () => {
  const released = Promise.withResolvers<void>()
  const reached: number[] = []
  const engine = create({
    reply: () => 'one two three',
    gate: (_, tokens) => {
      reached.push(tokens)
      return tokens === 2 ? released.promise : undefined
    },
  })
  const running = run(engine, 'Hello')
  await expect.poll(() => reached).toEqual([0, 1, 2])
  expect(engine.stats()).toMatchObject({ slotsBusy: 1, completionTokens: 2 })
  released.resolve()
  expect(textOf(await running)).toBe('one two three')
})

test('a held reply ends when it is aborted, and when the engine is closed', async () => {
  const engine = create({ slots: 2, gate: () => new Promise(() => {}) })
  const leaving = new AbortController()
  const aborted = run(engine, 'Hello', {}, leaving.signal)
  const closed = run(engine, 'Hello')
  await expect.poll(() => engine.stats().slotsBusy).toBe(2)
  leaving.abort()
  expect((await aborted).at(-1)).toMatchObject({ reason: 'aborted', completionTokens: 0 })
  await engine.close()
  await expect(closed).rejects.toMatchObject({ code: 'shutting_down' })
})
