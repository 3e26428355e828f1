import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ScriptedEngine } from '../../../src/engine/scripted-engine.ts'
import { addAccountWithKey } from '../../support/accounts.ts'
import { ReplyGate } from '../../support/engine/reply-gate.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

const gate = new ReplyGate()
let engine: ScriptedEngine
let service: TestService
beforeEach(async () => {
  engine = scriptedEngine({ slots: 16, contextTokens: 100_000, gate: gate.gate })
  service = await startTestService({ engine, environment: { PIPIT_MAX_TOKENS: '20000' } })
})
afterEach(async () => {
  gate.release()
  await service.close()
})

/** The request within docs/interface.md whose logprobs take the most memory: 44 MB. */
const largest = { ...question, n: 4, max_tokens: 2048, logprobs: true, top_logprobs: 20 }

test('whole replies with logprobs take a bounded amount of memory for one key, until they end (T14)', async () => {
  const hangUp = new AbortController()
  const { signal } = hangUp
  const running = service.post(largest)
  const left = service.post(largest, { signal })
  await expect.poll(() => gate.held).toBe(8)
  const refused = await service.post(largest)
  expect([refused.status, refused.headers.get('x-drop-reason')]).toEqual([429, 'logprob_bytes'])
  expect(await refused.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } })

  const { key } = await addAccountWithKey(service, 'other')
  await expect.poll(() => statusOf(key)).toBe(200)
  const others = [
    service.post({ ...largest, logprobs: false, top_logprobs: 0 }),
    service.post(largest, { key }),
  ]
  await expect.poll(() => gate.held).toBe(16)
  hangUp.abort()
  await expect(left).rejects.toMatchObject({ name: 'AbortError' })
  await expect.poll(() => engine.stats().slotsBusy).toBe(12)
  others.push(service.post(largest))
  await expect.poll(() => gate.held).toBe(20)
  gate.release()
  const replies = await Promise.all([running, ...others])
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

test('logprobs that no key may ask for in one response can be streamed (T14)', async () => {
  const body = { ...largest, n: 1, max_tokens: 20_000 }
  const whole = await service.post(body)
  expect([whole.status, await whole.json()]).toMatchObject([
    400,
    { error: { code: 'invalid_value', param: 'top_logprobs' } },
  ])
  const path = '/v1/chat/completions/input_tokens'
  expect((await service.post(body, { path })).status).toBe(400)
  expect((await service.post({ ...body, stream: true }, { path })).status).toBe(200)
  const streaming = service.stream(body)
  await expect.poll(() => gate.held).toBe(1)
  gate.release()
  expect((await streaming).done).toBe(true)
})

const statusOf = async (key: string) => (await service.request('/v1/models', { key })).status
