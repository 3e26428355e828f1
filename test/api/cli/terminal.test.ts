import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { mainFile, newDataDir, runCli } from '../../support/process.ts'
import { openTerminal } from '../../support/terminal/terminal.ts'

function temporaryDir(): string {
  const path = newDataDir()
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

test('in a terminal, every start prints the address of the panel, and the log is for a person', async () => {
  const settings = {
    PIPIT_ENGINE: 'scripted',
    PIPIT_PORT: '0',
    PIPIT_METRICS_PORT: '0',
    PIPIT_DATA_DIR: temporaryDir(),
  }
  for (const start of ['first', 'later']) {
    const terminal = openTerminal(['serve'], settings)
    onTestFinished(terminal.dispose)
    const end = await terminal.awaitText('metrics')
    terminal.type('\u0003')
    await terminal.awaitText('signal=SIGINT', end)
    expect(await terminal.exitCode()).toBe(0)
    const lines = terminal.output().split('\r\n')
    expect([start, lines.find((line) => line.startsWith('  panel'))]).toEqual([
      start,
      expect.stringMatching(/^ {2}panel {4}http:\/\/127\.0\.0\.1:\d+\/$/),
    ])
    expect(terminal.output()).not.toContain('"level"')
  }
})

test('help and hints name the command as the user can type it', async () => {
  const help = await runCli(['keys', '--help'])
  expect(help.stdout).toMatch(/^Usage: npm run -s pipit -- keys /)
  const hint = await runCli(['keys', 'list'], { PIPIT_DATA_DIR: temporaryDir() })
  expect(hint.stdout).toContain('npm run -s pipit -- keys create --name NAME')
  const installed = join(temporaryDir(), 'pipit')
  symlinkSync(mainFile, installed)
  const text = execFileSync(process.execPath, ['--no-warnings', installed, 'keys', '--help'])
  expect(text.toString()).toMatch(/^Usage: pipit keys /)
})

test('a setting with its earlier name is reported once', async () => {
  const environment = { PIPIT_GUESSED_TOKENS: '99', PIPIT_PORT: '0' }
  expect((await runCli(['serve'], environment)).stderr).toMatch(
    /^pipit: PIPIT_GUESSED_TOKENS is called PIPIT_SPECULATIVE_TOKENS now\. Rename it\.\npipit: PIPIT_SPECULATIVE_TOKENS must be a whole number from 0 to 16, not "99"\.\n$/,
  )
})

test('the variables of commands that call a service are PIPIT_API_KEY and PIPIT_BASE_URL, and earlier names still work', async () => {
  const url = 'http://127.0.0.1:9'
  const known = await runCli(['check', url], { PIPIT_API_KEY: 'k' })
  expect(known.stderr).toMatch(/no reply: .*Is the service running\?\n$/)
  const earlier = await runCli(['check', url], { PIPIT_KEY: 'k' })
  expect(earlier.stderr).toMatch(
    /^pipit: PIPIT_KEY is called PIPIT_API_KEY now\. Rename it\.\n.*no reply: /,
  )
  for (const name of ['PIPIT_BASE_URL', 'PIPIT_URL']) {
    const { stderr } = await runCli(['check'], { PIPIT_API_KEY: 'k', [name]: `${url}/v1` })
    expect(stderr).toContain('http://127.0.0.1:9')
    expect(stderr.includes('is called PIPIT_BASE_URL now')).toBe(name === 'PIPIT_URL')
  }
  const none = await runCli(['check', url])
  expect(none.stderr).toBe('pipit: No API key. Give one with --key or set PIPIT_API_KEY.\n')
})
