import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { IssuedPanelKey } from '../../../src/protocol/panel-keys.ts'
import { chromiumMissing, openPage, pressBack, useBrowser } from '../../support/panel/browser.ts'
import { type Signed, signIn } from '../../support/panel/panel.ts'
import { startTestService, type TestService } from '../../support/service.ts'

const browser = useBrowser()
let service: TestService
let ada: Signed
beforeAll(async () => {
  if (chromiumMissing) return
  service = await startTestService()
  ada = await signIn(service)
})
afterAll(() => service?.close())

async function openKeys(path = '/keys') {
  const opened = await openPage(browser(), service, { cookie: ada.cookie })
  await opened.page.goto(path)
  return opened
}

/** Returns the accessible name of the focused element. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const at = document.activeElement
    return at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent.trim()
  })()`)
/** Resolves when the named element has the focus. */
async function focusMovesTo(page: Page, name: string): Promise<void> {
  await expect.poll(() => focused(page)).toBe(name)
}

test('an empty name has its error in view, its field focused, and the buttons in reach', async () => {
  const { page, faults, close } = await openKeys('/keys?dialog=create')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').waitFor()
  const submit = dialog.getByRole('button', { name: 'Create key' })
  expect(await isInWindow(page, 'button[type=submit]')).toBe(true)
  await submit.click()
  await dialog.getByText('Enter a name.').waitFor()
  await focusMovesTo(page, 'Name')
  expect(await isInWindow(page, '[role=dialog] [aria-invalid=true]')).toBe(true)
  expect(await isInWindow(page, 'button[type=submit]')).toBe(true)
  expect(faults).toEqual([])
  await close()
})

test('limits are collapsed, the buttons stay in reach with them open, and a wrong limit is focused', async () => {
  const { page, faults, close } = await openKeys('/keys?dialog=create')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('limited')
  expect(await dialog.getByLabel('Tokens per day').isVisible()).toBe(false)
  await dialog.getByText('Limits', { exact: true }).click()
  await dialog.getByLabel('Tokens per day').fill('many')
  expect(await isInWindow(page, 'button[type=submit]')).toBe(true)
  await dialog.getByText('Limits', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await focusMovesTo(page, 'Tokens per day')
  expect(await dialog.getByLabel('Tokens per day').isVisible()).toBe(true)
  expect(faults).toEqual([])
  await close()
})

test('each key dialog gives the focus back to the link that opened it', async () => {
  const { page, faults, close } = await openKeys()
  for (const name of ['Create key', 'Edit first key', 'Rotate first key', 'Revoke first key']) {
    await page.getByRole('link', { name }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await focusMovesTo(page, name)
    await page.getByRole('link', { name }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await focusMovesTo(page, name)
  }
  expect(faults).toEqual([])
  await close()
})

test('a dialog that waits for a new secret stays open until it shows it', async () => {
  const { page, faults, close } = await openKeys()
  const answer = Promise.withResolvers<void>()
  await page.route('**/rotate', async (route) => {
    await answer.promise
    await route.continue()
  })
  await page.getByRole('link', { name: 'Rotate first key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Rotate key' }).click()
  await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
  expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  answer.resolve()
  await page.getByRole('dialog', { name: 'Save your key' }).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('Back loses neither a secret that is shown nor one that is awaited', async () => {
  const { page, faults, close } = await openKeys()
  const answer = Promise.withResolvers<void>()
  await page.route('**/panel/api/keys', async (route) => {
    if (route.request().method() === 'POST') await answer.promise
    await route.continue()
  })
  await page.getByRole('link', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('kept')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
  await pressBack(page)
  answer.resolve()
  await page.getByRole('dialog', { name: 'Save your key' }).waitFor()
  await pressBack(page)
  await page.getByRole('dialog', { name: 'Save your key' }).waitFor()
  expect(new URL(page.url()).search).toBe('?dialog=create')
  await page.getByRole('button', { name: 'I’ve saved this key' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(new URL(page.url()).search).toBe('')
  await page.getByRole('link', { name: 'Create key' }).click()
  await dialog.getByLabel('Name').waitFor()
  await pressBack(page)
  await dialog.waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await close()
})

test('after a key is revoked, the focus is on the heading, because its row is gone', async () => {
  await ada.post('/keys', { name: 'short-lived' })
  const { page, faults, close } = await openKeys()
  await page.getByRole('link', { name: 'Revoke short-lived' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
  await page.getByRole('link', { name: 'Revoke short-lived' }).waitFor({ state: 'detached' })
  await focusMovesTo(page, 'API keys')
  expect(faults).toEqual([])
  await close()
})

test('an edited key is edited again from its new values, and an unchanged field is not sent', async () => {
  const { record } = (await (await ada.post('/keys', { name: 'edited' })).json()) as IssuedPanelKey
  const { page, faults, close } = await openKeys()
  const dialog = page.getByRole('dialog')
  const edit = (name: string) => page.getByRole('link', { name: `Edit ${name}` }).click()
  const save = async () => {
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await edit('edited')
  await dialog.getByText('Limits', { exact: true }).click()
  await dialog.getByLabel('Tokens per day').fill('1000')
  await save()
  await edit('edited')
  expect(await dialog.getByLabel('Tokens per day').inputValue()).toBe('1000')
  await ada.post(`/keys/${record.id}`, { scopes: ['chat'], limits: { tokens_per_day: 2000 } })
  await dialog.getByLabel('Name').fill('edited again')
  await save()
  await edit('edited again')
  await save()
  expect(await (await ada.get(`/keys/${record.id}`)).json()).toMatchObject({
    name: 'edited again',
    scopes: ['chat'],
    limits: { tokens_per_day: 2000 },
  })
  expect(faults).toEqual([])
  await close()
})

/** Returns whether the whole element is in the window and nothing covers its middle. */
function isInWindow(page: Page, selector: string): Promise<boolean> {
  return page.evaluate(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)})
    const { top, bottom, left, width, height } = element.getBoundingClientRect()
    const at = document.elementFromPoint(left + width / 2, top + height / 2)
    return top >= 0 && bottom <= innerHeight && element.contains(at)
  })()`)
}
