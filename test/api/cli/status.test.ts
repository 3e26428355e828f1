import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { newDataDir, runCli } from '../../support/process.ts'
import { openTerminal } from '../../support/terminal/terminal.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

/** Hides the cursor and turns wrapping off; and both back. */
const [hidden, restored] = ['\u001B[?25l\u001B[?7l', '\u001B[?7h\u001B[?25h']

let service: TestService
beforeAll(async () => {
  service = await startTestService({
    engine: scriptedEngine({ tokensPerSecond: 20, reply: () => 'word '.repeat(2000) }),
  })
})
afterAll(() => service.close())

test('status shows slots, queue, speed and keys of the running service, once or refreshed in place', async () => {
  const stopping = new AbortController()
  const replies = [1, 2].map(() =>
    service
      .stream({ ...question, max_tokens: 2000 }, { signal: stopping.signal })
      .catch(() => undefined),
  )
  onTestFinished(async () => {
    stopping.abort()
    await Promise.all(replies)
  })
  const environment = { PIPIT_DATA_DIR: service.dataDir }
  await expect.poll(() => service.ledgerRows().length, { timeout: 10_000 }).toBe(2)
  const once = await runCli(['status', '--once', '--json'], environment)
  expect(JSON.parse(once.stdout)).toMatchObject({
    url: service.url,
    ready: true,
    slots: 4,
    running: 2,
    waiting: 0,
    keys: { active: 1, lastUsed: [{ name: 'first key', lastUsedMs: expect.any(Number) }] },
  })
  const { completionTokensPerSecond } = JSON.parse(once.stdout) as {
    completionTokensPerSecond: number
  }
  expect(completionTokensPerSecond).toBeGreaterThan(0)
  const text = await runCli(['status'], environment)
  expect(text.stdout).toMatch(/^Pipit at http\S+ · up \d+ s · ready\n/)

  const terminal = openTerminal(['status'], environment)
  onTestFinished(terminal.dispose)
  const first = await terminal.awaitText('tokens/s written')
  const second = await terminal.awaitText('tokens/s written', first)
  // Moves the cursor back to the first line and clears the screen from there.
  expect(terminal.output().slice(first, second)).toContain('A\u001B[0JPipit at ')
  terminal.type('\u0003')
  expect(await terminal.exitCode()).toBe(0)
  // Lines do not wrap meanwhile, because wide characters would make some longer than they count.
  expect(terminal.output()).toContain(hidden)
  expect(terminal.output().endsWith(restored)).toBe(true)
})

test('while the service does not answer, Ctrl-C ends status and brings the cursor back, also if pressed twice', async () => {
  let asked = 0
  const metrics = createServer((_request, response) => {
    asked += 1
    // The first state is shown after three answers.
    if (asked <= 3) response.end()
  }).listen(0, '127.0.0.1')
  await once(metrics, 'listening')
  const stalled = await startTestService()
  onTestFinished(async () => {
    metrics.close()
    metrics.closeAllConnections()
    await stalled.close()
  })
  const file = join(stalled.dataDir, 'service.json')
  const metricsUrl = `http://127.0.0.1:${(metrics.address() as AddressInfo).port}/metrics`
  const facts = JSON.parse(readFileSync(file, 'utf8')) as object
  writeFileSync(file, JSON.stringify({ ...facts, metricsUrl }))
  const terminal = openTerminal(['status'], stalled.environment)
  onTestFinished(terminal.dispose)
  await terminal.awaitText('tokens/s written')
  await expect.poll(() => asked).toBe(4)
  terminal.type('\u0003\u0003')
  expect(await terminal.exitCode()).toBe(0)
  expect(terminal.output().endsWith(restored)).toBe(true)
})

test('without a running service, status says so with exit code 1 and creates nothing', async () => {
  const dataDir = newDataDir()
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const { code, stdout, stderr } = await runCli(['status', '--once', '--json'], {
    PIPIT_DATA_DIR: dataDir,
  })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toBe(
    `pipit: No service runs on ${dataDir}. Start it with \`npm start\`, or set PIPIT_DATA_DIR to its directory.\n`,
  )
})
