import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { packageRoot } from '../../src/paths.ts'
import { useBrowser } from '../support/panel/browser.ts'

const page = pathToFileURL(join(packageRoot, 'examples/chat-page.html')).href
const browser = useBrowser()

const event = (part: object) => `data: ${JSON.stringify(part)}\n\n`
const chunk = (content: string) => event({ choices: [{ index: 0, delta: { content } }] })
const failure = { error: { message: 'The engine failed.' }, choices: [{ index: 0, delta: {} }] }

/** Answers that a service gives, or that a proxy makes of them. */
const answers = {
  whole: (response: ServerResponse) =>
    response.end(`${chunk('Fi')}${chunk('ne.')}data: [DONE]\n\n`),
  'a refused request': (response: ServerResponse) =>
    response.writeHead(503).end(JSON.stringify({ error: { message: 'All places are taken.' } })),
  "a proxy's error page": (response: ServerResponse) =>
    response.writeHead(502).end('<h1>Bad gateway</h1>'),
  'a reply that ends early': (response: ServerResponse) => response.end(chunk('Half')),
  // A service then closes the connection. A browser may drop what it has not yet read by then.
  'a reply that fails': (response: ServerResponse) =>
    response.write(chunk('Some') + event(failure)),
}

async function startStandIn() {
  const seen: { messages: unknown }[] = []
  const standIn = { answer: answers.whole as (response: ServerResponse) => unknown, seen, url: '' }
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*, authorization')
    if (request.method === 'OPTIONS') return void response.end()
    seen.push(JSON.parse(await text(request)) as { messages: unknown })
    standIn.answer(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(close)
  return Object.assign(standIn, { close })
}

async function openChat(url: string) {
  const chat = await browser().newPage()
  onTestFinished(() => chat.close())
  await chat.goto(`${page}?url=${url}`)
  await chat.getByLabel('API key').fill('key')
  const send = async (words: string) => {
    await chat.getByLabel('Message').fill(words)
    await chat.getByRole('button', { name: 'Send' }).click()
  }
  const shown = () => chat.locator('body').innerText()
  return { send, shown }
}

test.each([
  ['a refused request', 'All places are taken.'],
  ["a proxy's error page", 'Failed at URL: HTTP 502'],
  ['a reply that ends early', 'Half\nFailed at URL: The reply ended early.'],
  ['a reply that fails', 'Some\nFailed at URL: The engine failed.'],
] as const)('chat-page.html shows %s, and the model never reads it', async (name, sentence) => {
  const standIn = await startStandIn()
  const { send, shown } = await openChat(standIn.url)
  standIn.answer = answers[name]
  await send('one')
  await expect.poll(shown).toContain(sentence.replace('URL', standIn.url))
  standIn.answer = answers.whole
  for (const words of ['two', 'three']) {
    await send(words)
    await expect.poll(shown).toMatch(new RegExp(`You: ${words}\\s+Fine\\.`))
  }
  const [two, three] = ['two', 'three'].map((content) => ({ role: 'user', content }))
  expect(standIn.seen.slice(1).map(({ messages }) => messages)).toEqual([
    [two],
    [two, { role: 'assistant', content: 'Fine.' }, three],
  ])
})

test('chat-page.html shows that the service is down', async () => {
  const standIn = await startStandIn()
  const { send, shown } = await openChat(standIn.url)
  standIn.close()
  await send('one')
  await expect.poll(shown).toContain(`Failed at ${standIn.url}: `)
})
