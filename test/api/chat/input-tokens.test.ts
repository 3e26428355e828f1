import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { byWireName } from '../../../src/key-limits.ts'
import { ReplyGate } from '../../support/engine/reply-gate.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

type Preview = {
  input_tokens: number
  tokens_left: number
  max_tokens: number
  estimated_wait_ms: number
}

const gate = new ReplyGate({ marker: 'HOLD' })
const engine = scriptedEngine({ slots: 2, contextTokens: 1000, gate: gate.gate })
let service: TestService
beforeAll(async () => {
  service = await startTestService({ engine })
})
// Replies still held after a failed test would delay closing the service.
afterEach(() => gate.release())
afterAll(() => service.close())

const path = '/v1/chat/completions/input_tokens'
const preview = async (body: object) => {
  const response = await service.post(body, { path })
  expect(response.status).toBe(200)
  return (await response.json()) as Preview
}
const words = (count: number) => ({
  ...question,
  messages: [{ role: 'user', content: 'word '.repeat(count).trim() }],
})

const noLimits = byWireName(() => null)

test('it returns the prompt tokens that the completion will have, and generates nothing', async () => {
  const answer = await preview({ ...question, stream: true, n: 2, max_tokens: 1 })
  expect(engine.stats().completionTokens).toBe(0)
  expect(service.ledgerRows()).toEqual([])
  const completion = await service.post({ ...question, max_tokens: 1 })
  const { usage } = (await completion.json()) as { usage: { prompt_tokens: number } }
  expect(answer).toEqual({
    object: 'chat.completion.input_tokens',
    model: 'svc-o1-mini',
    input_tokens: usage.prompt_tokens,
    fits: true,
    context_length: 1000,
    tokens_left: 1000 - usage.prompt_tokens,
    max_tokens: 1,
    estimated_wait_ms: 0,
    limits: noLimits,
    account_limits: noLimits,
  })
})

test('max_tokens is limited to the remaining context, to the token', async () => {
  const overhead = (await preview(words(1))).input_tokens - 1
  expect(await preview({ ...words(990 - overhead), max_tokens: 2048 })).toMatchObject({
    input_tokens: 990,
    fits: true,
    tokens_left: 10,
    max_tokens: 10,
  })
  expect(await preview(words(999 - overhead))).toMatchObject({ fits: true, max_tokens: 1 })
})

test('a prompt that does not fit gets a 200 with fits: false, and the completion a 400', async () => {
  expect(await preview(words(5000))).toMatchObject({
    fits: false,
    tokens_left: 0,
    max_tokens: 0,
    context_length: 1000,
  })
  expect((await service.post(words(5000))).status).toBe(400)
})

test('a request that a completion refuses gets the same error', async () => {
  const bodies = [
    {},
    { ...question, model: 'gpt-4' },
    { ...question, max_tokens: 2049 },
    { ...question, n: 5 },
    { ...question, audio: {} },
    { ...question, top_logprobs: 2 },
    { ...question, logit_bias: { 9999: 1 } },
    '{broken',
  ]
  for (const body of bodies) {
    const [here, there] = [await service.post(body, { path }), await service.post(body)]
    expect(here.status).toBeGreaterThanOrEqual(400)
    expect([here.status, await here.json()]).toEqual([there.status, await there.json()])
  }
  expect((await service.post(question, { path, key: 'wrong' })).status).toBe(401)
  const strange = await service.post({ ...question, temprature: 1 }, { path })
  expect(strange.headers.get('x-ignored-parameters')).toBe('temprature')
})

test('it estimates the wait while all slots are busy, and returns 0 when they are free', async () => {
  const gone = new AbortController()
  const held = { ...question, messages: [{ role: 'user', content: 'HOLD' }] }
  const body = { ...held, n: 2, max_tokens: 512, stream: true }
  const response = await service.post(body, { signal: gone.signal })
  await expect.poll(() => gate.held).toBe(2)
  expect((await preview(question)).estimated_wait_ms).toBeGreaterThan(0)
  expect((await preview({ ...question, n: 2 })).estimated_wait_ms).toBeGreaterThan(0)
  // Keeps the response referenced: fetch cancels the body of a response that is garbage-collected.
  expect(response.bodyUsed).toBe(false)
  gone.abort()
  await expect.poll(() => engine.stats().slotsBusy).toBe(0)
  await expect.poll(async () => (await preview(question)).estimated_wait_ms).toBe(0)
})
