import { expect, onTestFinished, test, vi } from 'vitest'
import { detectDialect } from '../../../src/engine/dialect/detect-dialect.ts'
import type { ChatMessage } from '../../../src/engine/engine.ts'
import { ReplyGate } from '../../support/engine/reply-gate.ts'
import { expectAccessible, openPage, useBrowser } from '../../support/panel/browser.ts'
import { signIn } from '../../support/panel/panel.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { startTestService } from '../../support/service.ts'

vi.setConfig({ testTimeout: 120_000 })
const browser = useBrowser()

test('a thought streams apart from the answer, survives a reload, and is not sent with the next message', async () => {
  const seen: (readonly ChatMessage[])[] = []
  const gate = new ReplyGate({ marker: 'HOLD', afterTokens: 4 })
  const engine = scriptedEngine({
    // A chat template that splits replies at this mark belongs to a model that thinks.
    dialect: detectDialect('{{ messages[0].content.split("</think>") }}'),
    gate: gate.gate,
    reply: (messages) => {
      seen.push(messages)
      return '<think>\nTwo and two make four.\n</think>\n\nIt is **4**.'
    },
  })
  const service = await startTestService({ engine })
  onTestFinished(async () => {
    gate.release()
    await service.close()
  })
  const ada = await signIn(service)
  const { page, faults, close } = await openPage(browser(), service, ada)
  await page.goto('/playground')
  const reply = page.getByRole('region', { name: 'Reply', exact: true })
  const answer = reply.locator('[data-markdown]')
  const summary = reply.locator('summary', { hasText: 'Reasoning' })
  const thought = reply.locator('summary:text("Reasoning") + pre')
  await page.getByLabel('Your message').fill('HOLD What is two and two?')
  await page.keyboard.press('Enter')

  // The reply is held in the middle of its thought.
  await summary.waitFor()
  expect([await thought.count(), await thought.isVisible()]).toEqual([1, false])
  await summary.press('Enter')
  await expect.poll(() => thought.innerText()).toMatch(/^Two and/)
  expect(await answer.innerText()).toBe('')
  gate.release()
  await page.getByText('Finish reason', { exact: true }).waitFor()
  const expectBoth = async () => {
    expect(await thought.textContent()).toBe('Two and two make four.')
    expect(await answer.innerText()).toBe('It is 4.')
  }
  await expectBoth()
  expect(await thought.isVisible()).toBe(true)
  await expectAccessible(page)
  await page.reload()
  await summary.click()
  await expectBoth()

  await page.getByLabel('Your message').fill('And three?')
  await page.keyboard.press('Enter')
  await expect.poll(() => seen.length).toBe(2)
  expect(seen[1]?.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'HOLD What is two and two?'],
    ['assistant', 'It is **4**.'],
    ['user', 'And three?'],
  ])
  gate.release()
  await page.getByText('Finish reason', { exact: true }).waitFor()
  await page.getByRole('link', { name: /^req_/ }).click()
  const tokens = page.locator('div', { has: page.getByText('Reasoning tokens', { exact: true }) })
  expect(await tokens.last().innerText()).toMatch(/Reasoning tokens\s+7/)
  expect(faults).toEqual([])
  await close()
})
