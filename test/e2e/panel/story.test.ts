import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { openPage, setUpInBrowser, useBrowser } from '../../support/panel/browser.ts'
import { startProcess } from '../../support/process.ts'
import { readStream } from '../../support/service.ts'

const run = promisify(execFile)

const browser = useBrowser()

/** Schema of a reply that is long enough to be stopped. Four replies in parallel take four times as long. */
const longSchema = { type: 'array', items: { type: 'integer' }, minItems: 1000, maxItems: 1000 }

// Starts the service as an operator does, with the bundled model.
test('from the set-up link to a revoked key', async () => {
  const service = await startProcess({ PIPIT_THREADS: '1', PIPIT_CONTEXT_TOKENS: '2048' })
  onTestFinished(() => service.dispose())
  const { page, context, faults, close } = await openPage(browser(), service)
  onTestFinished(close)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const setUpUrl = /http\S+\/setup#\S+/.exec(service.stdout)?.[0]
  await setUpInBrowser(page, { setUpUrl })

  const { key: first, curl } = await createKey(page, 'story')
  const { stdout } = await run('sh', ['-c', curl])
  expect(JSON.parse(stdout)).toMatchObject({
    object: 'chat.completion',
    choices: [{ message: { role: 'assistant', content: expect.stringMatching(/./) } }],
  })

  const receipt = await streamAndStop(page)
  await page.getByRole('link', { name: receipt }).click()
  await page.getByText('Cancelled').first().waitFor()
  await page.getByRole('button', { name: 'Copy request ID' }).click()
  await expect.poll(() => clipboardOf(page)).toBe(receipt)
  await page.getByRole('link', { name: 'All requests' }).click()
  // The header, the stopped request and the curl request.
  await expect.poll(() => page.getByRole('row').count()).toBe(3)
  await page.getByRole('row', { name: /Playground/ }).waitFor()
  await page.getByRole('row', { name: /story/ }).waitFor()
  await page.getByRole('link', { name: 'Usage', exact: true }).click()
  await page.getByRole('row', { name: /story.*1/ }).waitFor()
  await page.getByRole('row', { name: /Playground.*1/ }).waitFor()

  const second = await rotate(page)
  // The page's shortest grace period is an hour.
  expect([await statusOf(service.url, first), await statusOf(service.url, second)]).toEqual([
    200, 200,
  ])

  await page.getByRole('link', { name: 'Revoke story' }).click()
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Revoke key' })
  await confirm.waitFor()
  const open = await openStream(service.url, second)
  expect(open.status).toBe(200)
  // Reads without a pause: a client loses the bytes that it has not read when the connection is cut.
  const reading = readStream(open)
  const confirmed = page.waitForResponse(/\/revoke$/)
  await confirm.click()
  await confirmed
  expect([await statusOf(service.url, first), await statusOf(service.url, second)]).toEqual([
    401, 401,
  ])
  const { events, done } = await reading
  expect([done, events.at(-1)?.error?.code]).toEqual([false, 'invalid_api_key'])
  expect(faults).toEqual([])
}, 180_000)

async function createKey(page: Page, name: string): Promise<{ key: string; curl: string }> {
  const dialog = page.getByRole('dialog')
  await page.getByRole('link', { name: 'Create key' }).click()
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const key = await dialog.getByLabel(`Key for ${name}`).inputValue()
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  await dialog.getByRole('button', { name: 'Copied' }).waitFor()
  const curl = await clipboardOf(page)
  await dialog.getByRole('button', { name: 'I’ve saved this key' }).click()
  return { key, curl }
}

async function clipboardOf(page: Page): Promise<string> {
  return String(await page.evaluate('navigator.clipboard.readText()'))
}

/** @returns the id of the request */
async function streamAndStop(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Playground', exact: true }).click()
  await page.getByLabel('Response format').selectOption('json_schema')
  await page.getByLabel('JSON schema').fill(JSON.stringify(longSchema))
  await page.getByLabel('Max tokens').fill('2048')
  await page.getByText('Advanced settings').click()
  await page.getByLabel('Replies').fill('4')
  await page.getByLabel('Your message').fill('Count as far as you can.')
  await page.keyboard.press('Enter')
  const reply = page.getByRole('region', { name: 'Reply' })
  await page.evaluate(stopAfterFirstNumber)
  await page.getByText('Stopped. The partial reply is kept.').waitFor()
  return (await reply.getByRole('link', { name: /^req_/ }).textContent()) ?? ''
}

/** Clicks Stop from inside the page, because a fast reply could end before a click from the test arrives. */
const stopAfterFirstNumber = `new Promise((resolve) => {
  const timer = setInterval(() => {
    const text = document.querySelector('section[aria-label=Reply] pre')?.textContent ?? ''
    if (!/^\\[.*\\d/s.test(text)) return
    clearInterval(timer)
    const buttons = [...document.querySelectorAll('button')]
    buttons.find((button) => button.textContent.startsWith('Stop')).click()
    resolve()
  }, 10)
})`

/** @returns the new key */
async function rotate(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog')
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('link', { name: 'Rotate story' }).click()
  await dialog.getByRole('button', { name: 'Rotate key' }).click()
  const key = await dialog.getByLabel('Key for story').inputValue()
  await dialog.getByRole('button', { name: 'I’ve saved this key' }).click()
  return key
}

async function statusOf(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/v1/key`, { headers: { authorization: `Bearer ${key}` } })
  await response.arrayBuffer()
  return response.status
}

function openStream(url: string, key: string): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'svc-o1-mini',
      messages: [{ role: 'user', content: 'Count as far as you can.' }],
      max_tokens: 2048,
      n: 4,
      stream: true,
      response_format: { type: 'json_schema', json_schema: { name: 'long', schema: longSchema } },
    }),
  })
}
