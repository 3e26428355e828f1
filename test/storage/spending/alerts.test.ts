import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureDefaultAccount } from '../../../src/accounts/accounts.ts'
import {
  deliveriesMax,
  deliveriesPerCheck,
  retryDelaysMs,
} from '../../../src/spending/alerts/alert-limits.ts'
import { addDelivery, trimDeliveries } from '../../../src/spending/alerts/alert-deliveries.ts'
import { signWebhook } from '../../../src/spending/alerts/webhook.ts'
import { openSpending } from '../../../src/spending/open-spending.ts'
import { addUp } from '../../../src/storage/additions.ts'
import { listAudit, serviceActor } from '../../../src/storage/audit/audit-log.ts'
import type { Database } from '../../../src/storage/database.ts'
import { queries, toStatement } from '../../../src/storage/statement.ts'
import { addToSums } from '../../../src/usage/usage-sums-statements.ts'
import { useDatabases } from '../../support/databases.ts'
import { silentLogger } from '../../../src/telemetry/logger.ts'
import { startSmtpServer } from '../../support/spending/smtp-server.ts'
import { startWebhookReceiver } from '../../support/spending/webhook-receiver.ts'

const databases = useDatabases()
const startMs = Date.UTC(2026, 10, 23, 12)
let nowMs: number
let database: Database
let accountId: string
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
beforeEach(async () => {
  nowMs = startMs
  receiver = await startWebhookReceiver()
  database = await databases.open()
  accountId = (await ensureDefaultAccount(database)).id
})
afterEach(() => receiver.close())

const open = (of = database) => openSpending(of, { logger: silentLogger, now: () => nowMs })
const budgetOf = (amount: string, thresholds: number[], kind: 'tokens' | 'money' = 'tokens') => ({
  accountId,
  kind,
  amount,
  thresholds,
})
const use = (promptTokens: number, createdMs = nowMs) =>
  database.write(
    addUp([
      addToSums({
        accountId,
        keyId: 'key_1',
        createdMs,
        requests: 1,
        errors: 0,
        promptTokens,
        cachedTokens: 0,
        completionTokens: 0,
      }),
    ]),
  )
const sent = () =>
  receiver.received.map(({ body }) => {
    const { data } = JSON.parse(body) as { data: Record<string, unknown> }
    return [data['month'], data['threshold_percent'], data['used']]
  })

test('an alert is raised once for a month and threshold, also by two services at once', async () => {
  const [one, other] = [open(), open(await databases.open())]
  await one.alertSettings.setWebhook({ url: receiver.url, rotate: false }, serviceActor, nowMs)
  await one.budgets.set(budgetOf('1000', [50, 80, 100]), serviceActor, nowMs)
  await use(499)
  const checkAndSend = async () => {
    await Promise.all([one.budgetWatch.check(), other.budgetWatch.check()])
    await Promise.all([one.alertSender.sendDue(), other.alertSender.sendDue()])
  }
  await checkAndSend()
  expect(sent()).toEqual([])
  await use(400)
  await checkAndSend()
  await checkAndSend()
  expect(sent().toSorted((a, b) => Number(a[1]) - Number(b[1]))).toEqual([
    ['2026-11', 50, '899'],
    ['2026-11', 80, '899'],
  ])
  await use(200)
  nowMs = Date.UTC(2026, 11, 1, 0, 1)
  await checkAndSend()
  expect(sent().at(-1)).toEqual(['2026-11', 100, '1099'])
  await use(500)
  await checkAndSend()
  expect(sent()).toHaveLength(4)
  expect(sent().at(-1)).toEqual(['2026-12', 50, '500'])
})

test('a budget of money counts the costs of each day, and nothing is sent without a channel', async () => {
  const { prices, budgets, budgetWatch, alertSender } = open()
  await expect(budgets.set(budgetOf('1', [100], 'money'), serviceActor, nowMs)).rejects.toThrow(
    'Set prices first',
  )
  const price = { currency: 'EUR', prompt: '10', completion: '0' }
  await prices.set({ ...price, from: '2026-11-02' }, serviceActor, nowMs)
  await budgets.set(budgetOf('0.5', [90, 100], 'money'), serviceActor, nowMs)
  await use(1_000_000, Date.UTC(2026, 10, 1))
  await use(49_999)
  await budgetWatch.check()
  const raised = () => database.read(queries.selectFrom('budget_alerts').select('threshold'))
  expect(await raised()).toEqual([{ threshold: 90 }])
  expect((await budgetWatch.use())[0]?.used).toBe(499_990_000_000n)
  await use(1)
  await budgetWatch.check()
  expect(await raised()).toHaveLength(2)
  expect(await alertSender.deliveries()).toEqual([])
})

test('a webhook is signed as Standard Webhooks describes', async () => {
  // Example from the Standard Webhooks library.
  const example = {
    url: '',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    body: '{"test": 2432232314}',
  }
  expect(signWebhook(example, 1_614_265_330)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
  const { alertSettings, alertSender } = open()
  const wanted = { url: receiver.url, rotate: false }
  const secret = await alertSettings.setWebhook(wanted, serviceActor, nowMs)
  expect(await alertSettings.setWebhook(wanted, serviceActor, nowMs)).toBeUndefined()
  const [delivery] = await alertSender.sendTest()
  expect(delivery).toMatchObject({ state: 'delivered', attempts: 1, result: 'Status 204' })
  const { headers, body } = receiver.received[0]!
  const content = `${String(headers['webhook-id'])}.${startMs / 1000}.${body}`
  const key = Buffer.from(String(secret).slice('whsec_'.length), 'base64')
  expect(key).toHaveLength(32)
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': delivery?.alert_id,
    'webhook-timestamp': String(startMs / 1000),
    'webhook-signature': `v1,${createHmac('sha256', key).update(content).digest('base64')}`,
  })
})

test('a failed delivery is repeated with the same id at growing intervals, over a restart, and then fails', async () => {
  const first = open()
  await first.alertSettings.setWebhook({ url: receiver.url, rotate: false }, serviceActor, nowMs)
  await first.budgets.set(budgetOf('10', [100]), serviceActor, nowMs)
  await use(10)
  await first.budgetWatch.check()
  await first.alertSender.close()
  // The sender after a restart.
  const { alertSender } = open()
  receiver.status = 500
  for (const delayMs of [0, ...retryDelaysMs]) {
    nowMs += delayMs - 1
    await alertSender.sendDue()
    const before = receiver.received.length
    nowMs += 1
    await alertSender.sendDue()
    expect(receiver.received).toHaveLength(before + 1)
  }
  nowMs += 1_000_000_000
  await alertSender.sendDue()
  expect(receiver.received).toHaveLength(1 + retryDelaysMs.length)
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  const [delivery] = await alertSender.deliveries()
  expect(delivery).toMatchObject({ state: 'failed', result: 'Status 500' })
})

test('a delivery whose sender was stopped in the middle is sent again with the same id', async () => {
  const first = open()
  await first.alertSettings.setWebhook({ url: receiver.url, rotate: false }, serviceActor, nowMs)
  await first.budgets.set(budgetOf('10', [100]), serviceActor, nowMs)
  await use(10)
  await first.budgetWatch.check()
  receiver.held = new Promise(() => {})
  const sending = first.alertSender.sendDue()
  await expect.poll(() => receiver.received.length).toBe(1)
  await first.alertSender.close()
  await sending
  receiver.held = Promise.resolve()
  const { alertSender } = open()
  await alertSender.sendDue()
  expect(receiver.received).toHaveLength(1)
  nowMs += 60_000
  await alertSender.sendDue()
  expect(receiver.received).toHaveLength(2)
  expect(receiver.received[1]?.headers['webhook-id']).toBe(
    receiver.received[0]?.headers['webhook-id'],
  )
  expect((await alertSender.deliveries())[0]).toMatchObject({ state: 'delivered', attempts: 2 })
})

test('redirects are not followed, a receiver that is gone gets no more, and the log is bounded (T60)', async () => {
  const { alertSettings, alertSender } = open()
  await alertSettings.setWebhook({ url: receiver.url, rotate: false }, serviceActor, nowMs)
  receiver.status = 302
  const [redirected] = await alertSender.sendTest()
  expect(redirected).toMatchObject({
    state: 'failed',
    result: 'Status 302: redirects are not followed',
  })
  receiver.status = 410
  await database.write([addDelivery({ alertId: 'msg_1', channel: 'webhook', body: '{}' }, nowMs)])
  await alertSender.sendDue()
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/hook'])
  const rows = Array.from({ length: deliveriesMax + 5 }, (_, number) =>
    addDelivery({ alertId: `msg_${number}`, channel: 'webhook', body: '{}' }, nowMs + number),
  )
  await database.write(rows)
  const finish = queries.updateTable('alert_deliveries').set({ state: 'delivered' })
  await database.write([toStatement(finish), trimDeliveries()])
  const kept = await alertIds()
  expect(kept).toHaveLength(deliveriesMax)
  expect(kept).toContain(`msg_${deliveriesMax + 4}`)
})

test('more alerts at once than the log keeps: none is deleted before it is sent', async () => {
  const rows = Array.from({ length: deliveriesMax + 5 }, (_, number) =>
    addDelivery({ alertId: `msg_${number}`, channel: 'webhook', body: '{}' }, nowMs + number),
  )
  const finish = queries.updateTable('alert_deliveries').set({ state: 'failed' })
  await database.write([
    ...rows.slice(0, 2),
    toStatement(finish),
    ...rows.slice(2),
    trimDeliveries(),
  ])
  const kept = await alertIds()
  expect(kept).toHaveLength(deliveriesMax + 3)
  expect(kept).toContain('msg_2')
})

async function alertIds(): Promise<string[]> {
  const rows = await database.read(queries.selectFrom('alert_deliveries').select('alert_id'))
  return rows.map(({ alert_id: id }) => id)
}

const mail = {
  host: '127.0.0.1',
  encryption: 'none' as const,
  user: '',
  from: 'pipit@example.com',
  to: ['ada@example.com', 'bob@example.com'],
}

test('an alert is sent by e-mail, and not at all where STARTTLS is wanted but missing', async () => {
  const server = await startSmtpServer()
  try {
    const { alertSettings, alertSender, budgets, budgetWatch } = open()
    const wanted = { ...mail, port: server.port }
    await alertSettings.setMail({ ...wanted, encryption: 'starttls' }, serviceActor, nowMs)
    expect((await alertSender.sendTest())[0]).toMatchObject({ state: 'failed', channel: 'mail' })
    expect(server.received).toEqual([])
    await alertSettings.setMail(wanted, serviceActor, nowMs)
    nowMs += 1
    await budgets.set(budgetOf('10', [100]), serviceActor, nowMs)
    await use(12)
    await budgetWatch.check()
    await alertSender.sendDue()
    expect((await alertSender.deliveries())[0]).toMatchObject({
      state: 'delivered',
      result: '250 kept',
    })
    const [received] = server.received
    expect(received).toMatchObject({
      from: '<pipit@example.com>',
      to: ['<ada@example.com>', '<bob@example.com>'],
    })
    expect(received?.text).toContain('has used 100% of its budget')
    expect(received?.text).toContain('Used: 12 tokens')
  } finally {
    await server.close()
  }
})

test('a webhook that hangs does not delay e-mails, and one call sends more than one batch', async () => {
  const server = await startSmtpServer()
  const released = Promise.withResolvers<void>()
  receiver.held = released.promise
  const { alertSettings, alertSender } = open()
  await alertSettings.setMail({ ...mail, port: server.port }, serviceActor, nowMs)
  await alertSettings.setWebhook({ url: receiver.url, rotate: false }, serviceActor, nowMs)
  const body = JSON.stringify({ type: 'alert.test', timestamp: '', data: {} })
  const count = deliveriesPerCheck + 5
  await database.write([
    addDelivery({ alertId: 'msg_0', channel: 'webhook', body }, nowMs),
    ...Array.from({ length: count }, (_, index) =>
      addDelivery({ alertId: `msg_${index + 1}`, channel: 'mail', body }, nowMs),
    ),
  ])
  const sending = alertSender.sendDue()
  try {
    await expect.poll(() => server.received.length).toBe(count)
    expect(receiver.received).toHaveLength(1)
  } finally {
    released.resolve()
    await sending
    await server.close()
  }
})

const login = { ...mail, port: 465, encryption: 'tls' as const, user: 'ada' }

test('wrong settings are refused, and a kept password goes to no other server (T60)', async () => {
  const { alertSettings, budgets } = open()
  const setMail = (wanted: Parameters<typeof alertSettings.setMail>[0]) =>
    alertSettings.setMail(wanted, serviceActor, nowMs)
  for (const [changed, param] of [
    [{ host: 'a b' }, 'host'],
    [{ from: 'ada' }, 'from'],
    [{ from: 'a@b>\r\nBcc: c@d' }, 'from'],
    [{ to: [] }, 'to'],
    [{ user: 'ada', password: 'x', encryption: 'none' as const }, 'encryption'],
    [{ user: 'ada', encryption: 'tls' as const }, 'password'],
  ] as const)
    await expect(setMail({ ...mail, port: 25, ...changed }), param).rejects.toMatchObject({ param })
  for (const url of ['ftp://example.com', 'http://user:password@example.com', 'nonsense', ''])
    await expect(
      alertSettings.setWebhook({ url, rotate: false }, serviceActor, nowMs),
    ).rejects.toMatchObject({ param: 'url' })
  for (const [wanted, param] of [
    [budgetOf('0', [50]), 'amount'],
    [budgetOf('1.5', [50]), 'amount'],
    [budgetOf('5', []), 'thresholds'],
    [budgetOf('5', [0]), 'thresholds'],
    [budgetOf('5', [201]), 'thresholds'],
    [{ ...budgetOf('5', [50]), accountId: 'acct_none' }, 'account_id'],
  ] as const)
    await expect(budgets.set(wanted, serviceActor, nowMs), param).rejects.toMatchObject({ param })
  expect([await alertSettings.channels(), await budgets.list()]).toEqual([[], []])

  await setMail({ ...login, password: 'secret-1' })
  await setMail({ ...login, to: ['eve@example.com'] })
  expect((await alertSettings.read()).mail?.password).toBe('secret-1')
  for (const changed of [
    { host: 'evil.example.com' },
    { port: 466 },
    { encryption: 'starttls' as const },
  ])
    await expect(setMail({ ...login, ...changed })).rejects.toMatchObject({ param: 'password' })
  const entries = JSON.stringify(await listAudit(database, 50))
  expect(entries).toContain('eve@example.com')
  expect(entries).not.toContain('secret-1')
})
