import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { rmSync } from 'node:fs'
import { newDataDir, runCli } from '../../support/process.ts'
import { openTerminal } from '../../support/terminal/terminal.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

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
  expect(terminal.output().endsWith('\u001B[?25h')).toBe(true)
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
