import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCli } from '../process.ts'
import { runCommand } from './run-command.ts'

test('a command ends in this process as in one of its own, and leaves the exit code of this one', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pipit-test-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const before = process.exitCode
  onTestFinished(() => void (process.exitCode = before))
  const settings = { PIPIT_DATA_DIR: dataDir, PIPIT_ENGINE: 'scripted' }
  const commandLines: [number, string[], Record<string, string>][] = [
    [0, ['keys', 'list'], settings],
    // A mistake of the user, a wrong setting, and an exit code that the command sets itself.
    [1, ['keys', 'revoke', 'key_none'], settings],
    [78, ['serve'], { ...settings, PIPIT_SLOTS: '0' }],
    [1, ['doctor', '--json'], { ...settings, PIPIT_SLOTS: '0' }],
    [2, ['check', '--key', 'k', 'http://127.0.0.1:1'], settings],
    [0, ['keys', 'list'], settings],
  ]
  for (const [code, args, environment] of commandLines) {
    const { stderr, ...own } = await runCli(args, environment)
    expect([args, await runCommand(args, environment)]).toMatchObject([args, { code, stderr }])
    expect([args, own.code, process.exitCode]).toEqual([args, code, before])
  }
})
