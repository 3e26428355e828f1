import { expect, test } from 'vitest'
import type { Engine, GenerationEvent } from './engine.ts'
import { ScriptedEngine } from './scripted-engine.ts'
import { SwitchableEngine } from './switchable-engine.ts'

const sampling = { temperature: 0, topP: 1, topK: 1, minP: 0, seed: 1 }
const { signal } = new AbortController()

function newEngine(contextTokens: number): ScriptedEngine {
  return new ScriptedEngine({ slots: 2, contextTokens, tokensPerSecond: 0, prefillMs: 0 })
}

async function run(engine: Pick<Engine, 'prepare' | 'generate'>): Promise<GenerationEvent[]> {
  const prompt = await engine.prepare([{ role: 'user', content: 'Hello' }], signal)
  const request = { prompt, maxTokens: 4, sampling, stop: [], cacheScope: 'a' }
  const events: GenerationEvent[] = []
  for await (const event of engine.generate(request, signal)) events.push(event)
  return events
}

test('a request keeps its engine to its end, which is closed only then', async () => {
  const [old, next] = [newEngine(512), newEngine(1024)]
  const engine = new SwitchableEngine(old)
  const lease = await engine.lease()
  await engine.replace(next)
  expect(engine.info.contextTokens).toBe(1024)
  expect([lease.engine.info.contextTokens, old.state]).toEqual([512, 'ready'])
  expect((await run(lease.engine)).at(-1)?.type).toBe('finish')
  lease.release()
  lease.release()
  expect([old.state, next.state]).toEqual(['closed', 'ready'])
  expect((await run(engine)).at(-1)?.type).toBe('finish')
})

test('an engine without requests is closed at once, and its counters stay in the sums', async () => {
  const [old, next] = [newEngine(512), newEngine(512)]
  const engine = new SwitchableEngine(old)
  await run(engine)
  const { completionTokens, promptTokens } = engine.stats()
  expect(completionTokens).toBeGreaterThan(0)
  await engine.replace(next)
  expect(old.state).toBe('closed')
  expect(engine.stats()).toMatchObject({ completionTokens, promptTokens })
  await run(engine)
  expect(engine.stats().completionTokens).toBe(2 * completionTokens)
})

test('an engine that comes after the end is closed', async () => {
  const engine = new SwitchableEngine(newEngine(512))
  await engine.close()
  const late = newEngine(512)
  await engine.replace(late)
  expect(late.state).toBe('closed')
})

test('a retired engine is closed after its last request, and new requests wait for the next one', async () => {
  const [old, next] = [newEngine(512), newEngine(1024)]
  const engine = new SwitchableEngine(old)
  await run(engine)
  const before = engine.stats()
  const running = await engine.lease()
  const retired = engine.retire(10_000)
  const waiting = [engine.lease(signal), engine.lease(signal)]
  expect((await run(running.engine)).at(-1)?.type).toBe('finish')
  expect([old.state, engine.state]).toEqual(['ready', 'loading'])
  running.release()
  expect(await retired).toBe(true)
  expect([old.state, engine.state]).toEqual(['closed', 'loading'])
  expect(engine.stats().completionTokens).toBe(2 * before.completionTokens)
  await engine.replace(next)
  for (const lease of waiting) expect((await lease).engine).toBe(next)
  expect([engine.state, engine.info.contextTokens]).toEqual(['ready', 1024])
  expect((await run(engine)).at(-1)?.type).toBe('finish')
})

test('an engine whose requests do not end serves on, and those that waited get it', async () => {
  const old = newEngine(512)
  const engine = new SwitchableEngine(old)
  await engine.lease()
  const retired = engine.retire(20)
  const waiting = engine.lease(signal)
  expect(await retired).toBe(false)
  expect((await waiting).engine).toBe(old)
  expect(old.state).toBe('ready')
})

test('a wait for the next engine ends with its deadline, a hang-up or the end of the service', async () => {
  const engine = new SwitchableEngine(newEngine(512), { waitMaxMs: 20 })
  expect(await engine.retire(1000)).toBe(true)
  await expect(engine.lease(signal)).rejects.toMatchObject({ code: 'overloaded' })
  const hangUp = new AbortController()
  const abandoned = engine.lease(hangUp.signal)
  hangUp.abort(new Error('hung up'))
  await expect(abandoned).rejects.toThrow('hung up')
  const refused = engine.lease(signal)
  engine.refuseWaiting()
  await expect(refused).rejects.toMatchObject({ code: 'shutting_down' })
})
