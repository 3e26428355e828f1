import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { packageRoot } from '../../src/paths.ts'
import { useBrowser } from '../support/panel/browser.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { mainFile } from '../support/process.ts'

// Each example runs as its first lines say, with the bundled model. The tests check the service's guarantees, not the
// words of a small model.
const execute = promisify(execFile)
const examples = join(packageRoot, 'examples')
const place = mkdtempSync(join(tmpdir(), 'pipit-test-'))
let service: TestService
beforeAll(async () => {
  service = await startTestService({ environment: { PIPIT_ENGINE: 'embedded' } })
})
afterAll(async () => {
  await service.close()
  rmSync(place, { recursive: true, force: true })
})

/** `key: null` leaves the variable of the key unset. */
type Run = { key?: string | null; url?: string; path?: string; input?: string }

/** Runs a command in the repository with the address and a key of the service; returns what it prints. */
async function run(command: string, args: string[], options: Run = {}) {
  const { key = service.key, url = service.url, path, input } = options
  const env = {
    PATH: path ?? dirname(process.execPath),
    HOME: place,
    PIPIT_BASE_URL: url,
    ...(key !== null && { PIPIT_API_KEY: key }),
  }
  const running = execute(command, args, { cwd: packageRoot, env, timeout: 50_000 })
  // A script that reads no input may end before it gets any.
  running.child.stdin?.on('error', () => {}).end(input ?? '')
  return (await running).stdout
}
const node = (file: string, args: string[] = [], options: Run = {}) =>
  run(process.execPath, [join('examples', file), ...args], options)

test('classify-csv.mjs keeps the rows and adds one of the labels to each', async () => {
  const options = ['examples/data/reviews.csv', 'text', 'positive,negative']
  const [header, ...rows] = (await node('classify-csv.mjs', options)).trimEnd().split('\n')
  expect(header).toBe('id,text,label')
  const label = '(positive|negative)'
  expect(rows).toEqual([
    expect.stringMatching(new RegExp(`^1,"A warm, funny film.",${label}$`)),
    expect.stringMatching(new RegExp(`^2,The room .* rude.,${label}$`)),
    expect.stringMatching(new RegExp(`^3,"They said ""tomorrow"", .*",${label}$`)),
    '4,"Great little shop.',
    expect.stringMatching(new RegExp(`^I will come back.",${label}$`)),
  ])
  const folder = mkdtempSync(join(tmpdir(), 'pipit-examples-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const fromExcel = join(folder, 'pipes.csv')
  writeFileSync(fromExcel, '\uFEFFtext,id\na 5" pipe is good,1\n')
  const labelled = await node('classify-csv.mjs', [fromExcel, 'text', 'positive,negative'])
  expect(labelled).toMatch(/^text,id,label\n"a 5"" pipe is good",1,(positive|negative)\n$/)
  await expect(
    node('classify-csv.mjs', ['examples/data/reviews.csv', 'txt', 'a,b']),
  ).rejects.toThrow('has no column txt, only id, text.')
})

test('summarise-folder.mjs prints one line for each text', async () => {
  const lines = (await node('summarise-folder.mjs', ['examples/data/notes'])).trimEnd().split('\n')
  expect(lines).toEqual([
    expect.stringMatching(/^meeting\.md: \S/),
    expect.stringMatching(/^river\.txt: \S/),
  ])
})

test('extract.mjs prints an object of its schema for each message', async () => {
  const input = readFileSync(join(examples, 'data/invoices.txt'), 'utf8')
  const lines = (await node('extract.mjs', [], { input })).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    ['Hi, it is Anna Berg', 'Tom here'].map((start) => ({
      name: expect.any(String),
      day: expect.toSatisfy((day) => day === null || String(day).endsWith('day')),
      amount: expect.any(String),
      message: expect.stringContaining(start),
    })),
  )
})

test('ai-sdk.mjs prints a streamed reply, its tokens and an object', async () => {
  expect(await node('ai-sdk.mjs', ['Hello! Who are you?'])).toMatch(
    /^\S[^]*\n\(\d+ tokens\)\n\{ mood: '(positive|negative)' \}\n$/,
  )
})

describe('stream.py', () => {
  const python = process.env['PYTHON'] ?? 'python3'
  const stream = (options: Run = {}) =>
    run(python, ['examples/stream.py', 'Hello! Who are you?'], {
      path: process.env['PATH'] ?? '',
      ...options,
    })
  beforeEach(async ({ skip }) => {
    const missing = await execute(python, ['--version']).catch((error: unknown) => error)
    skip(missing instanceof Error, `${python} is not installed, or set PYTHON`)
  })

  test('prints a reply, and the error of a wrong key', async () => {
    expect(await stream()).toMatch(/\S[^]*\n$/)
    await expect(stream({ key: 'wrong' })).rejects.toThrow(
      'The service says: Incorrect API key provided.',
    )
  })

  test('says in one sentence that the key is missing, or that the service is down', async () => {
    await expect(stream({ key: null })).rejects.toMatchObject({
      code: 1,
      stderr: 'Set PIPIT_API_KEY to an API key of the service.\n',
    })
    await expect(stream({ url: 'http://127.0.0.1:1' })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^No whole reply came from http:\/\/127\.0\.0\.1:1\/\S+: .*Connection refused\n$/,
      ),
    })
  })

  test("says in one sentence that a proxy's error page came", async () => {
    const proxy = createServer((request, response) => {
      request.resume()
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void proxy.close())
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    await expect(stream({ url })).rejects.toMatchObject({
      code: 1,
      stderr: `${url}/v1/chat/completions answers HTTP 502\n`,
    })
  })
})

test('daily-report.sh adds a line to the report, and nothing if there is no log or no reply', async () => {
  const [log, report, bin] = ['app.log', 'report.txt', 'pipit'].map((name) => join(place, name))
  writeFileSync(log!, 'The backup ended at 04:00. Disk 2 is nearly full.\n')
  // The program of this clone, under the name that an install gives it.
  writeFileSync(bin!, `#!/bin/sh\nexec '${process.execPath}' --no-warnings '${mainFile}' "$@"\n`)
  chmodSync(bin!, 0o755)
  const path = `${place}:/usr/bin:/bin`
  await run('examples/daily-report.sh', [log!, report!], { path })
  const written = readFileSync(report!, 'utf8')
  expect(written).toMatch(/^\d{4}-\d\d-\d\d: \S/)
  const failed = run('examples/daily-report.sh', [log!, report!], { path, key: 'wrong' })
  await expect(failed).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/key/) })
  await expect(run('examples/daily-report.sh', [place, report!], { path })).rejects.toThrow(
    /tail: /,
  )
  writeFileSync(log!, '')
  const empty = run('examples/daily-report.sh', [log!, report!], { path })
  await expect(empty).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/is empty/) })
  expect(readFileSync(report!, 'utf8')).toBe(written)
})

test('an example without a key says what is missing', async () => {
  const env = { PATH: dirname(process.execPath), PIPIT_BASE_URL: service.url }
  const args = [join(examples, 'summarise-folder.mjs'), join(examples, 'data/notes')]
  await expect(execute(process.execPath, args, { env })).rejects.toThrow('Set PIPIT_API_KEY')
})

describe('in a browser', () => {
  const browser = useBrowser()
  test('chat-page.html has at most 40 lines, streams replies and shows errors', async () => {
    const file = join(examples, 'chat-page.html')
    expect(readFileSync(file, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(40)
    const page = await browser().newPage()
    onTestFinished(() => page.close())
    await page.goto(`${pathToFileURL(file).href}?url=${service.url}`)
    const send = async (text: string) => {
      await page.getByLabel('Message').fill(text)
      await page.getByRole('button', { name: 'Send' }).click()
    }
    await page.getByLabel('API key').fill('wrong')
    await send('Hello!')
    await page.getByText('Incorrect API key provided').waitFor()
    await page.reload()
    await page.getByLabel('API key').fill(service.key)
    await send('Hello! Who are you?')
    await page.locator('p:not(:empty)').waitFor()
    expect(await page.locator('body').innerText()).toContain('You: Hello! Who are you?')
  })
})
