import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mainFile } from '../../support/process.ts'
import { startTestService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

type Output = 'full disk' | 'closed pipe'

/** Runs a command whose standard output cannot be written. */
async function run(args: readonly string[], output: Output) {
  const disk = output === 'full disk' ? openSync('/dev/full', 'w') : undefined
  const child = spawn(process.execPath, ['--no-warnings', mainFile, ...args], {
    env: {
      PATH: process.env['PATH'],
      PIPIT_DATA_DIR: service.dataDir,
      PIPIT_API_KEY: service.key,
    },
    stdio: ['ignore', disk ?? 'pipe', 'pipe'],
  })
  child.stdout?.destroy()
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (disk !== undefined) closeSync(disk)
  return { code, stderr }
}

test('a new key that cannot be printed is reported with its id, and the exit code is 1', async () => {
  const lost = (code: string) =>
    expect.stringMatching(
      new RegExp(
        `^pipit: Standard output cannot be written \\(${code}\\)\\. The new key key_\\w+ is lost: rotate or revoke it\\.\\n$`,
      ),
    )
  const create = ['keys', 'create', '--name', 'x']
  expect(await run(create, 'full disk')).toEqual({ code: 1, stderr: lost('ENOSPC') })
  const piped = await run([...create, '--json'], 'closed pipe')
  expect(piped).toEqual({ code: 1, stderr: lost('EPIPE') })
  const id = /key_\w+/.exec(piped.stderr)?.[0] ?? ''
  expect(await run(['keys', 'rotate', id], 'full disk')).toEqual({
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
    expect([args, await run(args, 'full disk')]).toEqual([args, { code: 1, stderr: report }])
    expect([args, (await run(args, 'closed pipe')).stderr]).toEqual([args, ''])
  }
})
