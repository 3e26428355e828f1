import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openTerminal } from './terminal.ts'

function openScript(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'pipit-test-'))
  const program = join(folder, 'program.mjs')
  writeFileSync(program, text)
  const terminal = openTerminal(['serve'], {}, { program })
  onTestFinished(async () => {
    await terminal.dispose()
    rmSync(folder, { recursive: true })
  })
  return terminal
}

test('waiting for a command that does not end fails with its output', async () => {
  const terminal = openScript(`console.log('ready'); setInterval(() => {}, 1000)`)
  await terminal.awaitText('ready')
  await expect(terminal.exitCode(100)).rejects.toThrow(
    'serve has not ended within 0.1 s: "ready\\r\\n"',
  )
}, 10_000)

test('waiting for a text fails with the output once the command has ended', async () => {
  const terminal = openScript(`console.log('The port is taken.'); process.exitCode = 3`)
  await expect(terminal.awaitText('ready')).rejects.toThrow(
    'serve ended with 3 without "ready": "The port is taken.\\r\\n"',
  )
  expect(await terminal.exitCode()).toBe(3)
}, 10_000)
