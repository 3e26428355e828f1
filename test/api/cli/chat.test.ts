import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { ChatMessage } from '../../../src/engine/engine.ts'
import { mainFile, newDataDir } from '../../support/process.ts'
import { openTerminal } from '../../support/terminal/terminal.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { startTestService, type TestService } from '../../support/service.ts'

let service: TestService
let slow: TestService
beforeAll(async () => {
  service = await startTestService({
    engine: scriptedEngine({ reply, failure: { marker: 'broken', afterTokens: 2 } }),
  })
  slow = await startTestService({ engine: scriptedEngine({ tokensPerSecond: 8 }) })
})
afterAll(async () => {
  await service.close()
  await slow.close()
})

function reply(messages: readonly ChatMessage[]): string {
  const system = messages.find(({ role }) => role === 'system')?.content ?? 'none'
  const asked = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
  return `**System** ${system}. *Asked* ${JSON.stringify(asked)}. Use \`code\`.`
}

type Run = { code: number | null; stdout: string; stderr: string }

/** Runs `pipit chat` with a pipe as its input. */
async function chat(
  args: string[],
  environment: Record<string, string> = {},
  input = '',
): Promise<Run> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('PIPIT_'))
  const child = spawn(process.execPath, ['--no-warnings', mainFile, 'chat', ...args], {
    env: {
      ...Object.fromEntries(own),
      PIPIT_DATA_DIR: service.dataDir,
      PIPIT_API_KEY: service.key,
      ...environment,
    },
  })
  const run: Run = { code: null, stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (run.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (run.stderr += text))
  child.stdin.end(input)
  run.code = await new Promise((resolve) => child.once('close', resolve))
  return run
}

test('a pipe gets the reply alone, to the message and the text from a pipe, from the running service', async () => {
  const run = await chat(['summarise', '--system', 'Be brief'], {}, 'Line one.\nLine two.\n')
  expect(run).toEqual({
    code: 0,
    stdout: '**System** Be brief. *Asked* ["summarise\\n\\nLine one.\\nLine two."]. Use `code`.\n',
    stderr: '',
  })
})

test('a reply that is cut at max_tokens is printed, with exit code 1', async () => {
  expect(await chat(['hi', '--set', 'max_tokens=3'])).toEqual({
    code: 1,
    stdout: expect.stringMatching(/^\*\*System[^]*\n$/),
    stderr: 'pipit: The reply was cut at max_tokens. Raise it with --set max_tokens=NUMBER.\n',
  })
})

test('--json and --schema print JSON, and a schema that cannot be read or enforced is refused', async () => {
  const folder = newDataDir()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const schema = { type: 'object', properties: { age: { const: 7 } }, required: ['age'] }
  const good = file('good.json', JSON.stringify(schema))
  const [json, typed, none, odd, refused] = await Promise.all([
    chat(['Describe yourself', '--json']),
    chat(['Describe yourself', '--schema', good]),
    chat(['x', '--schema', join(folder, 'none.json')]),
    chat(['x', '--schema', file('odd.json', '{')]),
    chat(['x', '--schema', file('bad.json', '{"type":"sphere"}')]),
  ])
  expect([json.code, typeof JSON.parse(json.stdout)]).toEqual([0, 'object'])
  expect([typed.code, JSON.parse(typed.stdout)]).toEqual([0, expect.objectContaining({ age: 7 })])
  expect(none).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/ENOENT/) })
  expect(odd).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/not JSON/) })
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/type/) })
})

test('every failure is one sentence that says what to do, with exit code 1', async () => {
  const cut = createServer((request, response) => {
    if (request.url === '/v1/models') return response.end('{"data":[{"id":"m"}]}')
    if (request.headers.authorization === 'Bearer busy')
      return response
        .writeHead(429, { 'retry-after': '7' })
        .end('{"error":{"message":"Too many requests."}}')
    response.write('data: {"choices":[{"delta":{"content":"Half a "}}]}\n\n', () =>
      request.headers.authorization === 'Bearer drop' ? response.destroy() : response.end(),
    )
    return undefined
  })
  cut.listen(0, '127.0.0.1')
  await once(cut, 'listening')
  onTestFinished(() => void cut.close())
  const url = `http://127.0.0.1:${(cut.address() as AddressInfo).port}/v1/`
  const gone = createServer().listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const goneUrl = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`
  gone.close()
  const runs = await Promise.all([
    chat(['hi', '--url', goneUrl]),
    chat(['hi', '--url', 'nonsense']),
    chat(['hi'], { PIPIT_API_KEY: '' }),
    chat(['hi'], { PIPIT_API_KEY: 'wrong', PIPIT_BASE_URL: service.url }),
    chat(['hi'], { PIPIT_BASE_URL: slow.url }),
    chat(['hi', '--key', 'sk-pipit-…']),
    chat(['hi', '--set', 'temperature=9']),
    chat(['hi', '--set', 'warmth=9']),
    chat([]),
    chat(['this is broken']),
    chat(['hi', '--url', url]),
    chat(['hi', '--url', url, '--key', 'drop']),
    chat(['hi', '--url', url, '--key', 'busy']),
  ])
  const create =
    'Create one with `npm run -s pipit -- keys create --name chat`, then `export PIPIT_API_KEY=YOUR_KEY`.'
  expect(runs.map(({ stderr }) => stderr.trimEnd())).toEqual([
    `pipit: No service answers at ${goneUrl} (ECONNREFUSED). Start it with \`npm start\`, or give its address with --url or PIPIT_BASE_URL.`,
    'pipit: nonsense is not the base URL of a service. Give one such as http://127.0.0.1:8080.',
    `pipit: The service needs an API key. ${create}`,
    expect.stringMatching(/^pipit: The service refuses this API key \(401: .*\) Create one with /),
    expect.stringMatching(/ Set PIPIT_API_KEY to a key of http:\/\/127\.0\.0\.1:\d+\.$/),
    'pipit: The API key has a character that no key has (position 10). Copy it again.',
    expect.stringMatching(/temperature/),
    expect.stringMatching(/^pipit: Set one of max_tokens, temperature, /),
    'pipit: There is no message. Give one as an argument or through a pipe.',
    'pipit: The reply broke off: The engine stopped unexpectedly. Try again.',
    'pipit: The reply broke off (its end is missing). Send it again.',
    expect.stringMatching(/^pipit: The reply broke off \([^)]+\)\. Send it again\.$/),
    'pipit: Too many requests. Try again in 7 s.',
  ])
  expect(runs.map(({ code }) => code)).toEqual(runs.map(() => 1))
  expect(runs.at(-3)?.stdout).toBe('Half a \n')
})

test('control characters of a service never reach the terminal', async () => {
  const controls = '\u001B]0;title\u0007\u009B2J'
  const other = createServer((request, response) => {
    if (request.url === '/v1/models')
      return response.end(JSON.stringify({ data: [{ id: `m${controls}` }] }))
    if (request.headers.authorization === 'Bearer wrong')
      return response.writeHead(400).end(JSON.stringify({ error: { message: `no${controls}` } }))
    const delta = { content: `{"a":"yes${controls}"}` }
    return response.end(`data: ${JSON.stringify({ choices: [{ delta }] })}\n\ndata: [DONE]\n\n`)
  })
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const settings = {
    PIPIT_BASE_URL: `http://127.0.0.1:${(other.address() as AddressInfo).port}`,
    PIPIT_API_KEY: 'k',
  }
  const shown = '\uFFFD]0;title\uFFFD\uFFFD2J'
  const json = openTerminal(['chat', 'hi', '--json'], settings)
  const refused = openTerminal(['chat', 'hi'], { ...settings, PIPIT_API_KEY: 'wrong' })
  const session = openTerminal(['chat'], { ...settings, PIPIT_API_KEY: 'wrong' })
  for (const { dispose } of [json, refused, session]) onTestFinished(dispose)
  expect([await json.exitCode(), json.output()]).toEqual([0, `{"a":"yes${shown}"}\r\n`])
  expect([await refused.exitCode(), refused.output()]).toEqual([1, `pipit: no${shown}\r\n`])
  const at = await session.awaitText('› ')
  session.type('hi\r')
  await session.awaitText(`no${shown}`, at)
  session.type('\u0004')
  expect(await session.exitCode()).toBe(0)
  expect(session.output()).toContain(` · m${shown} · `)
  expect(session.output()).not.toContain('title\u0007')
})

test('a chat in a terminal has styles, several lines, commands, and ends with Ctrl-D', async () => {
  const folder = newDataDir()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const settings = { PIPIT_DATA_DIR: service.dataDir, PIPIT_API_KEY: service.key }
  const terminal = openTerminal(['chat'], settings)
  onTestFinished(terminal.dispose)
  let at = await terminal.awaitText('› ')
  const enter = async (line: string, shown: string) => {
    terminal.type(`${line}\r`)
    at = await terminal.awaitText(shown, at)
    at = await terminal.awaitText('› ', at)
  }
  await enter('/system Be kind', 'The system prompt is set.')
  await enter('/set temperature 0.2', 'temperature is 0.2.')
  await enter('hello', '\u001B[1mSystem\u001B[0m Be kind. \u001B[3mAsked\u001B[0m ["hello"]')
  terminal.type('first\\\r')
  at = await terminal.awaitText('… ', at)
  await enter('second', '["hello","first\\nsecond"]. Use \u001B[36mcode\u001B[0m.')
  // Lines that are pasted together become one message.
  await enter('pasted one\rpasted two', '"pasted one\\npasted two"]')
  await enter('/retry', '"pasted one\\npasted two"]')
  await enter('/nonsense', 'There is no command /nonsense.')
  const path = join(folder, 'chat.json')
  await enter(`/save ${path}`, 'Saved to ')
  await enter(`/save ${path}`, 'exists already')
  await enter('/help', 'Ctrl-C stops a reply, Ctrl-D ends')
  terminal.type('\u0004')
  expect(await terminal.exitCode()).toBe(0)
  expect(existsSync(path)).toBe(true)
  const saved = JSON.parse(readFileSync(path, 'utf8')) as ChatMessage[]
  expect(saved.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
    'assistant',
  ])
})

test('Ctrl-C stops the reply and not the chat; at the prompt it drops what is typed', async () => {
  const settings = { PIPIT_DATA_DIR: slow.dataDir, PIPIT_API_KEY: slow.key }
  const terminal = openTerminal(['chat'], settings)
  onTestFinished(terminal.dispose)
  let at = await terminal.awaitText('› ')
  terminal.type('Tell me a story\r')
  at = await terminal.awaitText('You said', at)
  terminal.type('\u0003')
  at = await terminal.awaitText('Stopped.', at)
  await expect
    .poll(() => slow.ledgerRows().map(({ outcome }) => outcome), { timeout: 10_000 })
    .toEqual(['client_abort'])
  at = await terminal.awaitText('› ', at)
  terminal.type('unfinished')
  at = await terminal.awaitText('unfinished', at)
  terminal.type('\u0003')
  at = await terminal.awaitText('› ', at)
  terminal.type('/exit\r')
  expect(await terminal.exitCode()).toBe(0)
})
