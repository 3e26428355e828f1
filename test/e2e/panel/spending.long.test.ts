import { expect, test, vi } from 'vitest'
import { openPage, pressBack, useBrowser } from '../../support/panel/browser.ts'
import { setUp } from '../../support/panel/panel.ts'
import { question, startTestService } from '../../support/service.ts'
import { startWebhookReceiver } from '../../support/spending/webhook-receiver.ts'

vi.setConfig({ testTimeout: 120_000 })
const browser = useBrowser()

test('an admin sets prices, a budget and a webhook, sends a test alert and sees the cost', async () => {
  const receiver = await startWebhookReceiver()
  const service = await startTestService()
  try {
    const { cookie } = await setUp(service)
    await service.post({ ...question, max_tokens: 4 })
    const { page, faults, close } = await openPage(browser(), service, { cookie })
    await page.goto('/keys')
    await page.getByRole('link', { name: 'Spending' }).click()
    const prices = page.getByRole('region', { name: 'Prices' })
    await prices.getByLabel('Currency').fill('eur')
    await prices.getByLabel('Prompt price', { exact: true }).fill('x')
    await prices.getByLabel('Completion price').fill('250000')
    await prices.getByRole('button', { name: 'Save prices' }).click()
    await prices.getByText('Enter an amount such as 0.15').waitFor()
    await prices.getByLabel('Prompt price', { exact: true }).fill('0')
    await prices.getByRole('button', { name: 'Save prices' }).click()
    await prices.getByRole('table').getByText('250000 EUR').waitFor()

    const budgets = page.getByRole('region', { name: 'Budgets' })
    expect(await budgets.innerText()).toContain('never blocks requests')
    await budgets.getByLabel('Unit').selectOption('EUR')
    await budgets.getByLabel('Budget per month').fill('4')
    await budgets.getByRole('button', { name: 'Save budget' }).click()
    await budgets.getByText('€1.00 of €4.00 this month (25%)').waitFor()

    const webhook = page.getByRole('region', { name: 'Webhook' })
    await webhook.getByLabel('URL').fill(receiver.url)
    await webhook.getByRole('button', { name: 'Save webhook' }).click()
    const secret = page.getByRole('dialog', { name: 'Copy this signing secret now' })
    await secret.getByText(/^whsec_/).waitFor()
    await pressBack(page)
    await secret.getByRole('button', { name: 'I’ve saved this secret' }).click()
    await webhook.getByText('Saved.').waitFor()
    const deliveries = page.getByRole('region', { name: 'Deliveries' })
    await deliveries.getByRole('button', { name: 'Send a test alert' }).click()
    await deliveries.getByText('Webhook delivered: Status 204').waitFor()
    await deliveries.getByRole('table').getByText('Pipit: test alert').waitFor()
    expect(receiver.received).toHaveLength(1)

    await webhook.getByRole('button', { name: 'Remove the webhook' }).click()
    await page.getByRole('button', { name: 'Remove webhook' }).click()
    await webhook.getByRole('status').getByText('Removed.').waitFor()
    expect(await webhook.getByLabel('URL').inputValue()).toBe('')

    const mail = page.getByRole('region', { name: 'E-mail' })
    await mail.getByText('Mail server', { exact: true }).click()
    const values = {
      Server: '127.0.0.1',
      Port: '2525',
      From: 'pipit@example.com',
      To: 'a@example.com',
    }
    for (const [label, value] of Object.entries(values))
      await mail.getByLabel(label, { exact: true }).fill(value)
    await mail.getByLabel('Encryption').selectOption('none')
    await mail.getByRole('button', { name: 'Save mail server' }).click()
    await mail.getByRole('status').getByText('Saved.').waitFor()
    expect(await mail.getByLabel('Server', { exact: true }).inputValue()).toBe('127.0.0.1')
    await mail.getByRole('button', { name: 'Remove the mail server' }).click()
    await page.getByRole('button', { name: 'Remove mail server' }).click()
    await mail.getByRole('status').getByText('Removed.').waitFor()
    const shown = ['Server', 'Port', 'Encryption', 'From', 'To'].map((label) =>
      mail.getByLabel(label, { exact: true }).inputValue(),
    )
    expect(await Promise.all(shown)).toEqual(['', '587', 'starttls', '', ''])

    await page.goto('/usage?range=today')
    const cost = page.locator('dl > div', { has: page.getByText('Cost', { exact: true }) })
    expect(await cost.locator('dd').innerText()).toBe('€1.00')
    await page.getByRole('table', { name: 'By key' }).getByText('€1.00').waitFor()
    expect(faults).toEqual([])
    await close()
  } finally {
    await service.close()
    await receiver.close()
  }
})
