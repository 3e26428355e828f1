import type { Locator } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { openPage, useBrowser } from '../../support/panel/browser.ts'
import { admin } from '../../support/panel/panel.ts'
import { startProcess } from '../../support/process.ts'

/** Seconds that a person takes, by the keystroke-level model of Card, Moran and Newell (1980). */
const seconds = { decide: 1.35, point: 1.1, click: 0.2, toKeyboardAndBack: 0.8, key: 0.28 } as const
const goalSeconds = 60
/** Catches a step that was added to the panel and to this test. */
const actionsMax = 7
/** The service, the browser and the test share the machine, so allow time. */
const offeredMs = 20_000

const browser = useBrowser()

/** Counts what a person does. An action that the page does not offer fails with its number and those before it. */
class Person {
  readonly actions: string[] = []
  seconds = 0

  async click(control: Locator): Promise<void> {
    await this.#act(`click ${String(control)}`, () => control.click({ timeout: offeredMs }))
  }

  async type(field: Locator, text: string): Promise<void> {
    this.seconds += seconds.toKeyboardAndBack + seconds.key * text.length
    await this.#act(`type into ${String(field)}`, () => field.fill(text, { timeout: offeredMs }))
  }

  async #act(name: string, act: () => Promise<void>): Promise<void> {
    this.actions.push(name)
    this.seconds += seconds.decide + seconds.point + seconds.click
    try {
      await act()
    } catch (cause) {
      throw new Error(`the page does not offer the last of these actions:\n${this.list()}`, {
        cause,
      })
    }
  }

  list(): string {
    return this.actions.map((action, index) => `${index + 1}. ${action}`).join('\n')
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
  expect(person.actions.length, person.list()).toBeLessThanOrEqual(actionsMax)
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
