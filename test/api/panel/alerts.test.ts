import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AlertDelivery, PanelAlerts } from '../../../src/protocol/panel/alerts.ts'
import type { PanelBudgetList } from '../../../src/protocol/panel/budgets.ts'
import { errorOf } from '../../support/error-of.ts'
import { addUser, type Signed, setUp } from '../../support/panel/panel.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'
import { startWebhookReceiver } from '../../support/spending/webhook-receiver.ts'

let service: TestService
let ada: Signed
let bob: Signed
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  service = await startTestService()
  ada = await setUp(service)
  bob = await addUser(service, { email: 'bob@example.com', name: 'Bob' })
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

const json = async <Body>(reply: Promise<Response>) => (await (await reply).json()) as Body
type SavedWebhook = PanelAlerts & { secret: string | null }

test('an admin sets a webhook, sees its secret once and sends a test alert', async () => {
  expect(await errorOf(ada.post('/alerts/test'))).toEqual([400, 'invalid_value', null])
  const saved = await json<SavedWebhook>(ada.post('/alerts/webhook', { url: receiver.url }))
  expect([saved.webhook_url, saved.secret]).toEqual([
    receiver.url,
    expect.stringMatching(/^whsec_[\w+/]{43}=$/),
  ])
  const { deliveries } = await json<{ deliveries: AlertDelivery[] }>(ada.post('/alerts/test'))
  expect(deliveries).toMatchObject([
    { channel: 'webhook', state: 'delivered', result: 'Status 204', subject: 'Pipit: test alert' },
  ])
  expect(receiver.received).toHaveLength(1)
  const log = await json<PanelAlerts>(ada.get('/alerts'))
  expect(log.deliveries).toEqual(deliveries)
  expect(JSON.stringify(log)).not.toContain(saved.secret)
  const again = await json<SavedWebhook>(
    ada.post('/alerts/webhook', { url: receiver.url, rotate: true }),
  )
  expect([again.secret === null, again.secret === saved.secret]).toEqual([false, false])
  const audit = await (await ada.get('/audit')).text()
  expect(audit).toContain('alerts.edit')
  expect(audit).not.toContain('whsec_')
  expect(audit).not.toContain('/hook')
})

test('the password of the mail server is not shown again (T60)', async () => {
  const mail = {
    host: 'mail.example.com',
    port: 587,
    encryption: 'starttls',
    user: 'ada',
    from: 'pipit@example.com',
    to: ['ada@example.com'],
  }
  await ada.post('/alerts/mail', { mail: { ...mail, password: 'secret-2' } })
  const { mail: shown } = await json<PanelAlerts>(ada.get('/alerts'))
  expect(shown).toEqual({ ...mail, has_password: true })
  expect((await json<PanelAlerts>(ada.post('/alerts/mail', { mail: null }))).mail).toBeNull()
  expect(await (await ada.get('/audit')).text()).not.toContain('secret-2')
})

test('a budget shows its use and never refuses a request', async () => {
  const budget = { account_id: ada.me.account.id, kind: 'tokens', amount: '1', thresholds: [100] }
  await ada.post('/budgets', budget)
  expect((await service.post({ ...question, max_tokens: 4 })).status).toBe(200)
  expect((await service.post({ ...question, max_tokens: 4 })).status).toBe(200)
  const { data, currency } = await json<PanelBudgetList>(ada.get('/budgets'))
  expect(currency).toBeNull()
  expect(data).toMatchObject([{ ...budget, currency: null, account_name: ada.me.account.name }])
  expect(Number(data[0]?.used)).toBeGreaterThan(8)
  expect(data[0]?.used_percent).toBe(100 * Number(data[0]?.used))
  const removed = ada.post('/budgets/remove', { account_id: budget.account_id })
  expect((await json<PanelBudgetList>(removed)).data).toEqual([])
})

test('members neither see nor change budgets and alerts (T60)', async () => {
  for (const path of ['/budgets', '/alerts']) expect((await errorOf(bob.get(path)))[0]).toBe(403)
  for (const path of ['/alerts/test', '/alerts/webhook', '/alerts/mail', '/budgets'])
    expect((await bob.post(path)).status, path).not.toBe(200)
  expect((await errorOf(bob.post('/alerts/webhook', { url: null })))[0]).toBe(403)
})
