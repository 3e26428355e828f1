import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { packageRoot } from '../src/paths.ts'
import { withLock } from './build-lock.mjs'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pipit-lock-'))
  file = join(folder, 'build', 'lock')
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

test('a second command waits for the first one, and says for which process', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {})
  const events: string[] = []
  const held = Promise.withResolvers<void>()
  const first = withLock(file, async () => {
    await held.promise
    events.push('first')
  })
  const second = withLock(file, () => events.push('second'))
  await expect
    .poll(() => print.mock.calls.flat())
    .toEqual([expect.stringContaining(`${process.pid}`)])
  held.resolve()
  await Promise.all([first, second])
  expect(events).toEqual(['first', 'second'])
  expect(existsSync(file)).toBe(false)
})

test('work that fails releases the lock', async () => {
  const failing = withLock(file, () => Promise.reject(new Error('no compiler')))
  await expect(failing).rejects.toThrow('no compiler')
  expect(await withLock(file, () => 'built')).toBe('built')
})

test.each([
  ['a process that has ended', () => String(spawnSync('true').pid)],
  ['a process that ended while it wrote the lock', () => ''],
  ['an earlier process with the same id, as in containers', () => String(process.pid)],
])('the lock of %s does not count', async (_, content) => {
  await withLock(file, () => {})
  writeFileSync(file, content())
  utimesSync(file, new Date(0), new Date(0))
  expect(await withLock(file, () => 'built')).toBe('built')
})

/** Starts a process that holds the lock until it is killed. */
async function startHolder() {
  const url = new URL('build-lock.mjs', import.meta.url).href
  const script = `import { withLock } from '${url}'
    await withLock(process.argv[1], () => new Promise((resolve) => setTimeout(resolve, 60_000)))`
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', script, file])
  onTestFinished(() => void holder.kill('SIGKILL'))
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toBeTruthy()
  return holder
}

test('the lock of another process counts until that process has ended', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {})
  const holder = await startHolder()
  let isBuilt = false
  const second = withLock(file, () => (isBuilt = true))
  await expect
    .poll(() => print.mock.calls.flat())
    .toEqual([expect.stringContaining(`${holder.pid}`)])
  expect(isBuilt).toBe(false)
  holder.kill('SIGKILL')
  expect(await second).toBe(true)
})

test.runIf(process.platform === 'linux').each([
  ['with the id of a process that started later', /(?<=^\d+) \d+/, ' 1'],
  ['from before the machine was started again', /[0-9a-f]{8}-/, '00000000-'],
])('a lock %s does not count', { timeout: 30_000 }, async (_, part, other) => {
  await startHolder()
  writeFileSync(file, readFileSync(file, 'utf8').replace(part, other))
  expect(await withLock(file, () => 'built')).toBe('built')
})

test('a wait without an end is an error in one sentence', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const holder = await startHolder()
  const startMs = Date.now()
  const hourMs = 3_600_000
  vi.spyOn(Date, 'now')
    .mockReturnValueOnce(startMs)
    .mockReturnValue(startMs + hourMs)
  const error = await withLock(file, () => {}).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    name: 'BuildError',
    message: `Process ${holder.pid} still prepares this folder. End it, or delete ${file}.`,
  })
})

test('without the right to write, the preparation of a clone ends with one sentence', ({
  skip,
}) => {
  cpSync(join(packageRoot, 'tools'), join(folder, 'tools'), { recursive: true })
  chmodSync(folder, 0o555)
  // Root ignores file permissions.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const run = (...args: string[]) =>
    spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', ...user })
  skip(run('--version').status !== 0, 'only root may run this Node')
  const { status, stderr } = run('tools/prepare.mjs')
  chmodSync(folder, 0o755)
  expect(stderr).toBe(
    `The build cannot write ${file} (EACCES). Give your user access to the folder, or run it as the folder's owner.\n`,
  )
  expect(status).toBe(1)
})
