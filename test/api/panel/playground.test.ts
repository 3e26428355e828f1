import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Signed, postPanel, signIn } from '../../support/panel/panel.ts'
import { codeOf } from '../../support/error-of.ts'
import { question, readStream, startTestService, type TestService } from '../../support/service.ts'

let service: TestService
let ada: Signed
beforeEach(async () => {
  service = await startTestService({
    environment: { PIPIT_SCRIPTED_TOKENS_PER_SECOND: '5' },
  })
  ada = await signIn(service)
})
afterEach(() => service.close())

const path = '/chat/completions'
const short = { ...question, max_tokens: 3, seed: 1 }

test('a session gets the same completion as a key, and its usage is recorded for the playground', async () => {
  const response = await ada.post(path, { ...short, stream: true })
  const own = await readStream(response)
  const byKey = await service.stream(short)
  expect([own.status, own.text, own.done]).toEqual([200, byKey.text, true])
  const [row] = service.ledgerRows()
  expect(row).toMatchObject({
    request_id: response.headers.get('x-request-id'),
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
  expect(service.ledgerRows()).toEqual([])
})

test('the limits of the account apply', async () => {
  await ada.post(`/accounts/${ada.me.account.id}`, { limits: { requests_per_minute: 1 } })
  const first = await ada.post(path, short)
  expect([first.status, first.headers.get('x-ratelimit-remaining-requests')]).toEqual([200, '0'])
  expect((await ada.post(path, short)).status).toBe(429)
})

test('signing out ends an open stream (T9)', async () => {
  const response = await ada.post(path, { ...question, stream: true })
  await ada.post('/auth/sign-out')
  const { events, done } = await readStream(response)
  expect([done, events.at(-1)?.error?.code]).toEqual([false, 'invalid_api_key'])
})
