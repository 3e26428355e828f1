import { afterAll, beforeAll, expect, test } from 'vitest'
import { ReplyGate } from '../../support/engine/reply-gate.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { addUser, type Signed, postPanel, signIn } from '../../support/panel/panel.ts'
import { codeOf } from '../../support/error-of.ts'
import { question, readStream, startTestService, type TestService } from '../../support/service.ts'

let service: TestService
let ada: Signed
beforeAll(async () => {
  const { gate } = new ReplyGate({ marker: 'HOLD' })
  service = await startTestService({ engine: scriptedEngine({ gate }) })
  ada = await signIn(service)
})
afterAll(() => service.close())

const path = '/chat/completions'
const short = { ...question, max_tokens: 3, seed: 1 }

test('a session gets the same completion as a key, and its usage is recorded for the playground', async () => {
  const response = await ada.post(path, { ...short, stream: true })
  const own = await readStream(response)
  const byKey = await service.stream(short)
  expect([own.status, own.text, own.done]).toEqual([200, byKey.text, true])
  const requestId = response.headers.get('x-request-id')
  const row = service.ledgerRows().find((one) => one['request_id'] === requestId)
  expect(row).toMatchObject({
    account_id: ada.me.account.id,
    key_id: 'playground',
    outcome: 'length',
  })
})

test('the tokens of a draft are counted as with a key', async () => {
  const own = await (await ada.post(`${path}/input_tokens`, question)).json()
  const byKey = await service.post(question, { path: '/v1/chat/completions/input_tokens' })
  expect(own).toEqual(await byKey.json())
})

test('a faulty request gets the same error as with a key', async () => {
  const response = await ada.post(path, { ...question, temperature: 2 })
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: { code: 'decimal_above_max_value', param: 'temperature' } },
  ])
})

test('nothing is generated without a session, with a key instead, or for a page of another origin (T11)', async () => {
  const ran = () => service.ledgerRows().filter((row) => row['outcome'] !== 'refused')
  const before = ran()
  const key = { authorization: `Bearer ${service.key}` }
  expect(await codeOf(await postPanel(service, path, question))).toEqual([401, 'session_required'])
  expect(await codeOf(await postPanel(service, path, question, key))).toEqual([
    401,
    'session_required',
  ])
  expect(await codeOf(await ada.post(path, question, { origin: 'http://evil.example' }))).toEqual([
    403,
    'origin_not_allowed',
  ])
  expect(ran()).toEqual(before)
})

test('the limits of the account apply', async () => {
  const bob = await addUser(service, { email: 'bob@example.com', name: 'Bob' })
  await ada.post(`/accounts/${bob.me.account.id}`, { limits: { requests_per_minute: 1 } })
  const first = await bob.post(path, short)
  expect([first.status, first.headers.get('x-ratelimit-remaining-requests')]).toEqual([200, '0'])
  expect((await bob.post(path, short)).status).toBe(429)
})

test('signing out ends an open stream (T9)', async () => {
  const leaving = await signIn(service)
  const messages = [{ role: 'user', content: 'HOLD' }]
  const response = await leaving.post(path, { ...question, messages, stream: true })
  expect(response.status).toBe(200)
  // Reads without a pause: a client loses the bytes that it has not read when the connection is cut.
  const reading = readStream(response)
  await leaving.post('/auth/sign-out')
  const { events, done } = await reading
  expect([done, events.at(-1)?.error?.code]).toEqual([false, 'invalid_api_key'])
})
