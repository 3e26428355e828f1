import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addAccountWithKey } from '../../support/accounts.ts'
import { codeOf } from '../../support/error-of.ts'
import { rawStatus } from '../../support/raw-http.ts'
import { ReplyGate } from '../../support/engine/reply-gate.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

const held = { ...question, messages: [{ role: 'user', content: 'HOLD' }] }
const gate = new ReplyGate({ marker: 'HOLD' })
let service: TestService
beforeAll(async () => {
  service = await startTestService({
    engine: scriptedEngine({ failure: { marker: 'FAIL', afterTokens: 1 }, gate: gate.gate }),
  })
})
// Replies still held after a failed test would delay closing the service.
afterEach(() => gate.release())
afterAll(() => service.close())

let keys = 0
const newKey = () => `key-${++keys}`
const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })
const send = (body: object, key: string) => service.post(body, withKey(key))
/** Ledger rows of requests that ran, without those of refused requests. */
const ran = () => service.ledgerRows().filter((row) => row['outcome'] !== 'refused')
const rowsSince = (before: number) => ran().slice(before)
const rows = () => ran().length

test('a repeated request gets the same reply with a replay header, and costs nothing', async () => {
  const before = rows()
  const key = newKey()
  const body = { ...question, n: 2, temperature: 1, logprobs: true, top_logprobs: 2 }
  const first = await send(body, key)
  expect(first.headers.get('idempotency-replayed')).toBeNull()
  const completion = await first.json()
  for (const path of ['/v1/chat/completions', '/v1/chat']) {
    const again = await service.post(body, { ...withKey(key), path })
    expect(again.status).toBe(200)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    expect(await again.json()).toEqual(completion)
  }
  expect(rowsSince(before)).toHaveLength(1)
})

test('a repeated stream is complete and has the same id and text', async () => {
  const before = rows()
  const key = newKey()
  const body = { ...question, temperature: 1, stream_options: { include_usage: true } }
  const first = await service.stream(body, withKey(key))
  const again = await service.stream(body, withKey(key))
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect([again.text, again.done]).toEqual([first.text, true])
  expect(new Set([...first.events, ...again.events].map((event) => event['id'])).size).toBe(1)
  expect(again.events[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' })
  expect(again.events.at(-2)).toEqual(first.events.at(-2))
  expect(again.events.at(-1)).toEqual(first.events.at(-1))
  expect(rowsSince(before)).toHaveLength(1)
})

test('fifty equal simultaneous requests run once', async () => {
  const before = rows()
  const key = newKey()
  let refused = 0
  const all = Array.from({ length: 50 }, async () => {
    const response = await send(held, key)
    if (response.status === 409) refused += 1
    return response
  })
  await expect.poll(() => [gate.held, refused]).toEqual([1, 49])
  gate.release()
  const responses = await Promise.all(all)
  const running = responses.filter((response) => response.status === 409)
  const [done, ...others] = responses.filter((response) => response.status === 200)
  expect([running.length, others, done?.headers.has('idempotency-replayed')]).toEqual([
    49,
    [],
    false,
  ])
  for (const response of running) {
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await codeOf(response)).toEqual([409, 'idempotency_in_progress'])
  }
  const last = await send(held, key)
  expect(last.headers.get('idempotency-replayed')).toBe('true')
  expect(await last.json()).toEqual(await done?.json())
  expect(rowsSince(before)).toMatchObject([{ outcome: 'completed' }])
})

test('an equal request is refused at once, with a receipt, also while the first one waits for a slot', async () => {
  const engine = scriptedEngine({ slots: 1, gate: new ReplyGate().gate })
  const own = await startTestService({ engine })
  try {
    const leaving = new AbortController()
    const init = { signal: leaving.signal }
    const held = await own.post({ ...question, stream: true }, init)
    // Either may get the key first; the other one is refused.
    const both = [1, 2].map(() => own.post(question, { ...init, ...withKey('one') }))
    expect(await codeOf(await Promise.race(both))).toEqual([409, 'idempotency_in_progress'])
    const metrics = async () => (await fetch(own.metricsUrl)).text()
    await expect.poll(metrics).toContain('pipit_requests_waiting 1')
    const equal = await own.post(question, withKey('one'))
    expect(await codeOf(equal)).toEqual([409, 'idempotency_in_progress'])
    const other = await own.post({ ...question, max_tokens: 7 }, withKey('one'))
    expect(other.status).toBe(422)
    for (const [refused, code] of [
      [equal, 'idempotency_in_progress'],
      [other, 'idempotency_mismatch'],
    ] as const) {
      const path = `/v1/requests/${refused.headers.get('x-request-id')}`
      const receipt = async () => (await own.request(path)).json()
      await expect.poll(receipt).toMatchObject({ error: { code } })
    }
    // Keeps the response referenced: fetch cancels the body of a response that is garbage-collected.
    expect(held.bodyUsed).toBe(false)
    leaving.abort()
    await expect(Promise.all(both)).rejects.toThrow(/abort/)
  } finally {
    await own.close()
  }
})

test('another body under the same key is refused, during the first request and afterwards (T37)', async () => {
  const before = rows()
  const key = newKey()
  const running = send(held, key)
  await expect.poll(() => gate.held).toBe(1)
  const other = { ...held, max_tokens: 7 }
  expect(await codeOf(await send(other, key))).toEqual([422, 'idempotency_mismatch'])
  gate.release()
  expect((await running).status).toBe(200)
  expect(await codeOf(await send(other, key))).toEqual([422, 'idempotency_mismatch'])
  expect((await send({ ...held, stream: true }, key)).status).toBe(422)
  // The same members in another order are the same body.
  const turned = Object.fromEntries(Object.entries(held).toReversed())
  expect((await send(turned, key)).headers.get('idempotency-replayed')).toBe('true')
  expect(rowsSince(before)).toHaveLength(1)
})

test('two accounts may use the same idempotency key (T37)', async () => {
  const key = newKey()
  const other = await addAccountWithKey(service, 'other')
  const sendAsOther = (body: object) => service.post(body, { ...withKey(key), key: other.key })
  await expect.poll(async () => (await service.request('/v1/models', other)).status).toBe(200)
  const mine = (await (await send(question, key)).json()) as { id: string }
  const theirs = await sendAsOther({ ...question, max_tokens: 9 })
  expect(theirs.status).toBe(200)
  expect(((await theirs.json()) as { id: string }).id).not.toBe(mine.id)
})

test('a failed or refused request is not replayed: its repeat runs again', async () => {
  const before = rows()
  const key = newKey()
  const failing = { ...question, messages: [{ role: 'user', content: 'FAIL' }] }
  expect((await send(failing, key)).status).toBe(500)
  expect((await send(failing, key)).status).toBe(500)
  expect(rowsSince(before)).toMatchObject([
    { outcome: 'engine_crash' },
    { outcome: 'engine_crash' },
  ])
  expect((await send({ ...question, max_tokens: 0 }, key)).status).toBe(400)
  const tooLong = { ...question, messages: [{ role: 'user', content: 'a '.repeat(5000) }] }
  expect((await send(tooLong, key)).status).toBe(400)
  const good = await send(question, key)
  expect([good.status, good.headers.get('idempotency-replayed')]).toEqual([200, null])
})

test('a stream whose reader hung up is not replayed', async () => {
  const key = newKey()
  const leaving = new AbortController()
  const before = rows()
  const init = { ...withKey(key), signal: leaving.signal }
  await (await service.post({ ...held, stream: true }, init)).body?.getReader().read()
  leaving.abort()
  await expect.poll(() => rowsSince(before)).toMatchObject([{ outcome: 'client_abort' }])
  gate.release()
  const repeated = service.stream(held, withKey(key))
  await expect.poll(() => gate.held).toBe(1)
  gate.release()
  const again = await repeated
  expect([again.done, again.headers.get('idempotency-replayed')]).toEqual([true, null])
})

test('a reply of more than 64 KiB is not replayed', async () => {
  const key = newKey()
  const engine = scriptedEngine({
    slots: 1,
    reply: () => `${'x'.repeat(1000)} `.repeat(70),
  })
  const own = await startTestService({ engine })
  try {
    for (let i = 0; i < 2; i++) {
      const response = await own.post(question, withKey(key))
      expect([response.status, response.headers.get('idempotency-replayed')]).toEqual([200, null])
    }
    expect(own.ledgerRows()).toHaveLength(2)
  } finally {
    await own.close()
  }
})

test.each([
  ['empty', ''],
  ['too long', 'k'.repeat(256)],
  ['two words', 'a b'],
  ['not ASCII', 'clé'],
])('an idempotency key that is %s is refused, and nothing runs (T37)', async (_, key) => {
  const before = rows()
  expect(await codeOf(await send(question, key))).toEqual([400, 'invalid_value'])
  expect(rows()).toBe(before)
})

test('a key of 255 characters is accepted, two keys are not (T37)', async () => {
  expect((await send(question, 'k'.repeat(255))).status).toBe(200)
  const body = JSON.stringify(question)
  const head =
    `POST /v1/chat HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  const one = 'Idempotency-Key: same\r\n'
  expect(await rawStatus(service.url, `${head}${one}${one}\r\n${body}`)).toBe(400)
  expect(await rawStatus(service.url, `${head}${one}\r\n${body}`)).toBe(200)
})
