import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { KeptFiles } from './kept-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'pipit-test-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'a.js'), 'aaaa')
writeFileSync(join(folder, 'b.js'), 'bbbb')

test('a file is read once, also for uses at the same time', async () => {
  const files = new KeptFiles(folder, 8)
  const [first, second] = await Promise.all([files.read('a.js'), files.read('a.js')])
  expect(first.toString()).toBe('aaaa')
  expect(second).toBe(first)
  expect(await files.read('a.js')).toBe(first)
})

test('beyond the maximum, files are served but not kept', async () => {
  const files = new KeptFiles(folder, 7)
  const kept = await files.read('a.js')
  const other = await files.read('b.js')
  expect(other.toString()).toBe('bbbb')
  expect(await files.read('a.js')).toBe(kept)
  expect(await files.read('b.js')).not.toBe(other)
})

test('a file that could not be read is tried again', async () => {
  const files = new KeptFiles(folder, 8)
  await expect(files.read('c.js')).rejects.toThrow('ENOENT')
  writeFileSync(join(folder, 'c.js'), 'cccc')
  expect((await files.read('c.js')).toString()).toBe('cccc')
})
