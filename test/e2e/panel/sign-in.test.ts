import { beforeEach, expect, test } from 'vitest'
import { openPage, setUpInBrowser, useBrowser } from '../../support/panel/browser.ts'
import { admin, signIn } from '../../support/panel/panel.ts'
import { startTestService, type TestService } from '../../support/service.ts'

const browser = useBrowser()
let service: TestService
beforeEach(async () => {
  service = await startTestService()
  return () => service.close()
})

test('the set-up link creates the first account and works once', async () => {
  const { page, faults, close } = await openPage(browser(), service)
  await setUpInBrowser(page, service)
  expect(new URL(page.url()).pathname).toBe('/keys')
  await page.goto(service.setUpUrl ?? '')
  await page.getByText('Pipit is already set up').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('a wrong password is reported and the e-mail is kept; the right one opens the wanted page', async () => {
  await signIn(service)
  const { page, faults, close } = await openPage(browser(), service)
  await page.goto('/usage?range=30d')
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  await page.getByLabel('E-mail').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill('wrong password here')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Incorrect e-mail address or password.').waitFor()
  expect(await page.getByLabel('E-mail').inputValue()).toBe(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
  expect(new URL(page.url()).search).toBe('?range=30d')
  expect(faults).toEqual([])
  await close()
})

test('the sign-in page never redirects to another site', async () => {
  await signIn(service)
  const { page, faults, close } = await openPage(browser(), service)
  await page.goto('/sign-in?next=//other.example/keys')
  await page.getByLabel('E-mail').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  expect(page.url()).toBe(`${service.url}/keys`)
  expect(faults).toEqual([])
  await close()
})
