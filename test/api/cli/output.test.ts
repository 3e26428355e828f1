import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mainFile } from '../../support/process.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { startTestService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  // Slow, so that a reply is still running when its reader has gone.
  const engine = scriptedEngine({ tokensPerSecond: 20, reply: () => 'word '.repeat(200) })
  service = await startTestService({ engine })
})
afterAll(() => service.close())

type Output = 'full disk' | 'closed pipe' | 'closed standard error'

/** Runs a command whose standard output, or standard error, cannot be written. */
async function run(args: readonly string[], output: Output) {
  const disk = output === 'full disk' ? openSync('/dev/full', 'w') : undefined
  const child = spawn(process.execPath, ['--no-warnings', mainFile, ...args], {
    env: {
      PATH: process.env['PATH'],
      PIPIT_DATA_DIR: service.dataDir,
      PIPIT_ENGINE: 'scripted',
      PIPIT_API_KEY: service.key,
    },
    stdio: ['ignore', disk ?? 'pipe', 'pipe'],
  })
  if (output === 'closed pipe') child.stdout?.destroy()
  if (output === 'closed standard error') child.stderr?.destroy()
  let stdout = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (disk !== undefined) closeSync(disk)
  return { code, stdout, stderr }
}

test('a new key that cannot be printed is reported with its id, and the exit code is 1', async () => {
  const lost = (code: string) =>
    expect.stringMatching(
      new RegExp(
        `^pipit: Standard output cannot be written \\(${code}\\)\\. The new key key_\\w+ is lost: rotate or revoke it\\.\\n$`,
      ),
    )
  const create = ['keys', 'create', '--name', 'x']
  expect(await run(create, 'full disk')).toMatchObject({ code: 1, stderr: lost('ENOSPC') })
  const piped = await run([...create, '--json'], 'closed pipe')
  expect(piped).toMatchObject({ code: 1, stderr: lost('EPIPE') })
  const id = /key_\w+/.exec(piped.stderr)?.[0] ?? ''
  expect(await run(['keys', 'rotate', id], 'full disk')).toMatchObject({
    code: 1,
    stderr: lost('ENOSPC'),
  })
})

test('another output that cannot be written is reported, unless its reader has enough', async () => {
  const report = 'pipit: Standard output cannot be written (ENOSPC).\n'
  for (const args of [
    ['keys', 'list'],
    ['chat', 'Hello'],
  ]) {
    const full = await run(args, 'full disk')
    expect([args, full]).toEqual([args, { code: 1, stdout: '', stderr: report }])
    const piped = await run(args, 'closed pipe')
    expect([args, piped]).toEqual([args, { code: 0, stdout: '', stderr: '' }])
  }
})

test('a command goes on without a reader of its standard error', async () => {
  const { code, stdout } = await run(['bench', '--seconds', '0.1'], 'closed standard error')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^ {2}memory /m)])
})
