import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { expectAccessible, openPage, useBrowser } from '../../support/panel/browser.ts'
import { signIn } from '../../support/panel/panel.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

const run = promisify(execFile)

const browser = useBrowser()
let service: TestService
beforeEach(async () => {
  service = await startTestService()
  return () => service.close()
})

async function createKey(page: Page, name: string): Promise<string> {
  const dialog = page.getByRole('dialog')
  await page.getByRole('link', { name: 'Create key' }).click()
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByText('Limits', { exact: true }).click()
  await dialog.getByLabel('Tokens per day').fill('20,000')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  return dialog.getByLabel(`Key for ${name}`).inputValue()
}

test('a new key is shown once with a working curl command, and can be limited, rotated and revoked', async () => {
  const { cookie } = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  const dialog = page.getByRole('dialog')
  await page.goto('/keys')
  const key = await createKey(page, 'laptop 🐦')
  expect(key).toMatch(/^sk-pipit-/)
  await expectAccessible(page)
  const curl = await dialog.getByRole('region', { name: 'curl code' }).innerText()
  const { stdout } = await run('sh', ['-c', curl])
  expect(JSON.parse(stdout)).toMatchObject({ object: 'chat.completion' })
  await dialog.getByRole('button', { name: 'I’ve saved this key' }).click()
  await page.getByText(/^[1-9]\d* \/ 20K tokens today$/).waitFor()
  expect(await page.content()).not.toContain(key)

  await page.getByRole('link', { name: 'Edit laptop 🐦' }).click()
  await dialog.getByLabel('Tokens per day').fill('many')
  await dialog.getByLabel('Name').fill('old laptop')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Enter a whole number of 1 or more, or leave blank.').waitFor()
  await dialog.getByLabel('Tokens per day').fill('30000')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^[1-9]\d* \/ 30K tokens today$/).waitFor()

  await page.getByRole('link', { name: 'Rotate old laptop' }).click()
  await dialog.getByLabel('Old secret').selectOption('Expire in 1 day')
  await dialog.getByRole('button', { name: 'Rotate key' }).click()
  const next = await dialog.getByLabel('Key for old laptop').inputValue()
  await dialog.getByRole('button', { name: 'I’ve saved this key' }).click()
  expect(next).not.toBe(key)
  for (const valid of [key, next])
    expect((await service.post(question, { key: valid })).status).toBe(200)

  await page.getByRole('link', { name: 'Revoke old laptop' }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Revoke key' }).click()
  await dialog.waitFor({ state: 'detached' })
  for (const revoked of [key, next])
    expect((await service.post(question, { key: revoked })).status).toBe(401)
  await page.getByText('Revoked', { exact: true }).click()
  await page
    .getByRole('row', { name: /old laptop/ })
    .getByText('Revoked')
    .waitFor()
  expect(faults).toEqual([])
  await close()
}, 60_000)

test('when the browser blocks the clipboard, the panel says so and selects the key', async () => {
  const { cookie } = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  await page.addInitScript(`
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'))
    document.execCommand = () => false
  `)
  await page.goto('/keys')
  const key = await createKey(page, 'tablet')
  await page.getByRole('button', { name: 'Copy key' }).click()
  await page.getByText('The browser blocked the copy.').waitFor()
  const field = page.getByLabel('Key for tablet')
  expect(
    await field.evaluate((input: { selectionStart: number; selectionEnd: number }) => [
      input.selectionStart,
      input.selectionEnd,
    ]),
  ).toEqual([0, key.length])
  expect(faults).toEqual([])
  await close()
})

test('a key is found by name among many, and paging works by keyboard', async () => {
  const { cookie, post } = await signIn(service)
  for (let count = 0; count < 120; count++) await post('/keys', { name: `key ${count}` })
  const { page, faults, close } = await openPage(browser(), service, { cookie })
  await page.goto('/keys?sort=name&order=asc')
  await page.getByText('1–10 of 121').waitFor()
  await page.getByRole('link', { name: 'Next' }).press('Enter')
  await page.getByText('11–20 of 121').waitFor()
  expect(new URL(page.url()).searchParams.get('page')).toBe('2')
  await page.getByLabel('Search').fill('key 117')
  await page.getByText('1–1 of 1').waitFor()
  await page.getByRole('row', { name: /key 117/ }).waitFor()
  await page.getByLabel('Search').fill('no such key')
  await page.getByText('No matching keys').waitFor()
  await page.getByRole('link', { name: 'Show all keys' }).click()
  await page.getByText('1–10 of 121').waitFor()
  await expect.poll(() => page.getByLabel('Search').inputValue()).toBe('')
  await page.goBack()
  await page.getByText('No matching keys').waitFor()
  await expect.poll(() => page.getByLabel('Search').inputValue()).toBe('no such key')
  await page.getByLabel('Search').fill('key 11')
  await page.getByText('1–10 of 11').waitFor()
  expect(await page.getByLabel('Search').inputValue()).toBe('key 11')
  expect(faults).toEqual([])
  await close()
})
