import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDraft } from '../../../panel/src/playground/draft.ts'
import { newReply } from '../../../panel/src/playground/reply.ts'
import {
  chromiumMissing,
  openPage,
  type PanelPage,
  useBrowser,
} from '../../support/panel/browser.ts'
import { hostileMarkdown } from '../../support/panel/hostile-markdown.ts'
import { signIn, type Signed } from '../../support/panel/panel.ts'
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

/** Shows these texts as saved replies in the real page, under its content security policy. */
async function showReplies({ page }: PanelPage, texts: readonly string[]) {
  const draft = {
    ...emptyDraft,
    columns: [emptyDraft.columns[0], emptyDraft.columns[0]],
    replies: [texts.slice(0, 4), texts.slice(4)].map((some) => ({
      ...newReply,
      outcome: { state: 'completed' },
      choices: some.map((text) => ({ text, finishReason: 'stop', logprobs: [] })),
    })),
  }
  // Write the draft from another page, because the playground saves its own draft when it is left.
  if (page.url() === 'about:blank') await page.goto('/quick-start')
  else await page.getByRole('link', { name: 'Quick start' }).click()
  await page.getByRole('heading', { name: 'Quick start', level: 1 }).waitFor()
  await page.evaluate(([name, value]) => sessionStorage.setItem(name, value), [
    `pipit.playground.${ada.me.user.id}`,
    JSON.stringify(draft),
  ] as const)
  await page.getByRole('link', { name: 'Playground', exact: true }).first().click()
  await page
    .locator('[data-markdown]')
    .nth(texts.length - 1)
    .waitFor({ state: 'attached' })
}

const allowedElements =
  'p br hr h3 h4 h5 h6 blockquote ul ol li pre code em strong del a span div table thead tbody tr th td'
const allowedAttributes =
  'href target rel class tabindex role aria-label aria-hidden data-overflow style dir start'

/** Returns elements, attributes and links that must not appear. */
function findDangers({ page }: PanelPage): Promise<string[]> {
  return page.locator('[data-markdown] *').evaluateAll(
    (all, [elements, attributes]) =>
      all.flatMap((element) => {
        const name = element.tagName.toLowerCase()
        const dangers = elements.includes(name) ? [] : [`<${name}>`]
        for (const attribute of element.getAttributeNames())
          if (!attributes.includes(attribute)) dangers.push(`${name} ${attribute}`)
        if (name !== 'a') return dangers
        const { href, rel, target } = Object(element)
        const { protocol, origin } = new URL(href)
        if (!/^https?:$/.test(protocol) || origin === new URL(element.baseURI).origin)
          dangers.push(`link to ${href}`)
        if (rel !== 'noopener noreferrer nofollow' || target !== '_blank')
          dangers.push(`link as ${element.outerHTML}`)
        return dangers
      }),
    [allowedElements.split(' '), allowedAttributes.split(' ')] as const,
  )
}

test('no text makes the page run scripts, load resources or create unsafe links (T31)', async () => {
  const payloads = hostileMarkdown()
  expect(payloads.length).toBeGreaterThanOrEqual(300)
  const opened = await openPage(browser(), service, { cookie: ada.cookie })
  const { page, faults } = opened
  page.on('dialog', (dialog) => faults.push(`a dialog: ${dialog.message()}`))
  await page.exposeFunction('pwn', () => faults.push('a script of the text ran'))
  for (let begin = 0; begin < payloads.length; begin += 8) {
    const some = payloads.slice(begin, begin + 8)
    await showReplies(opened, some)
    const dangers = await findDangers(opened)
    expect({ some, dangers, faults }).toEqual({ some, dangers: [], faults: [] })
    expect(new URL(page.url()).pathname).toBe('/playground')
  }
  await opened.close()
}, 300_000)

test('normal Markdown is rendered', async () => {
  const opened = await openPage(browser(), service, { cookie: ada.cookie })
  await showReplies(opened, [
    '# Title\n\n**bold** and `code`\n\n- one\n- two\n\n| a | b |\n| :- | -: |\n| 1 | 2 |\n\n[here](https://example.org/a?b=c) https://example.org/',
  ])
  const reply = opened.page.locator('[data-markdown]')
  expect(await reply.getByRole('heading', { name: 'Title' }).count()).toBe(1)
  expect(await reply.getByRole('listitem').count()).toBe(2)
  expect(await reply.getByRole('cell', { name: '2' }).count()).toBe(1)
  expect(
    await reply
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href'))),
  ).toEqual(['https://example.org/a?b=c', 'https://example.org/'])
  // The host of a link is shown beside it.
  await reply.getByText('(example.org)').waitFor()
  expect(opened.faults).toEqual([])
  await opened.close()
})

test.each([
  ['quotes in quotes', '> '.repeat(2000) + 'deep'],
  ['lists in lists', Array.from({ length: 200 }, (_, i) => `${'  '.repeat(i)}- x`).join('\n')],
  ['open brackets', '['.repeat(8000)],
  ['stars', '*a_'.repeat(3000)],
  ['backticks', '`'.repeat(8000) + ' x'],
  ['a wide table', `|${' a |'.repeat(400)}\n|${' - |'.repeat(400)}\n|${' b |'.repeat(400)}`],
  ['a long word', 'x'.repeat(20_000)],
])('a reply of %s leaves the page usable', async (_, text) => {
  const opened = await openPage(browser(), service, { cookie: ada.cookie })
  await showReplies(opened, [text])
  await opened.page.getByLabel('Your message').fill('still here')
  // Rendering is recursive, so the nesting must stay bounded.
  expect(await opened.page.locator('[data-markdown] blockquote').count()).toBeLessThanOrEqual(50)
  expect(await opened.page.locator('[data-markdown]').count()).toBe(1)
  expect(opened.faults).toEqual([])
  await opened.close()
})
