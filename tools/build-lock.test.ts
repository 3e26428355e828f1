import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
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
