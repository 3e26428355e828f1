import type { Locator } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { openPage, useBrowser } from '../../support/panel/browser.ts'
import { admin } from '../../support/panel/panel.ts'
import { startProcess } from '../../support/process.ts'

/** Seconds that a person takes, by the keystroke-level model of Card, Moran and Newell (1980). */
const seconds = { decide: 1.35, point: 1.1, click: 0.2, toKeyboardAndBack: 0.8, key: 0.28 } as const
const goalSeconds = 60

const browser = useBrowser()

/** Counts what a person does. */
class Person {
  readonly actions: string[] = []
  seconds = 0

  async click(control: Locator): Promise<void> {
    this.#act(`click ${String(control)}`)
    await control.click()
  }

  async type(field: Locator, text: string): Promise<void> {
    this.#act(`type into ${String(field)}`)
    this.seconds += seconds.toKeyboardAndBack + seconds.key * text.length
    await field.fill(text)
  }

  #act(name: string): void {
    this.actions.push(name)
    this.seconds += seconds.decide + seconds.point + seconds.click
  }
}

// Starts the service as an operator does, with the bundled model.
test('from the set-up link, a person has a first reply of the model after seven actions and within a minute', async () => {
  const service = await startProcess({ PIPIT_THREADS: '1', PIPIT_CONTEXT_TOKENS: '2048' })
  onTestFinished(() => service.dispose())
  const { page, faults, close } = await openPage(browser(), service)
  onTestFinished(close)
  const person = new Person()
  const beginMs = performance.now()
  await page.goto(/http\S+\/setup#\S+/.exec(service.stdout)?.[0] ?? '')
  await person.type(page.getByLabel('Name'), admin.name)
  await person.type(page.getByLabel('E-mail'), admin.email)
  await person.type(page.getByLabel('Password', { exact: true }), admin.password)
  await person.click(page.getByRole('button', { name: 'Create account' }))
  await person.click(page.getByRole('link', { name: 'Open the playground' }))
  const chips = page.getByRole('group', { name: 'Try a prompt' })
  await person.click(chips.getByRole('button', { name: 'Answer' }))
  await person.click(page.getByRole('button', { name: 'Send' }))
  const reply = page.getByRole('region', { name: 'Reply', exact: true })
  await reply.getByText('Tokyo').waitFor()
  const machineSeconds = (performance.now() - beginMs) / 1000
  expect(person.actions.length).toBeLessThanOrEqual(7)
  expect(person.seconds + machineSeconds).toBeLessThan(goalSeconds)
  console.log(
    `${person.actions.length} actions, ${person.seconds.toFixed(1)} s of a person, ${machineSeconds.toFixed(1)} s of the machine`,
  )
  // The reply has a receipt, and the checklist knows of it.
  await page.getByRole('link', { name: /^req_/ }).waitFor()
  await page.goto('/keys')
  await page.getByRole('region', { name: 'First steps' }).getByText('1 of 5 done').waitFor()
  expect(faults).toEqual([])
}, 180_000)
