import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sha256OfModel, sha256OfParts } from './model-sha256.ts'

// sha256sum of the texts "one" and "two".
const one = '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed'
const two = '3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3'

test('the checksum of a model covers all its files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pipit-parts-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [first, second] = [1, 2].map((part) => join(folder, `m-0000${part}-of-00002.gguf`))
  writeFileSync(first!, 'one')
  writeFileSync(second!, 'two')
  const shares: number[] = []
  const sound = await sha256OfModel(first!, (share) => shares.push(share))
  // printf one >a; printf two >b; sha256sum a b | cut -d' ' -f1 | sha256sum
  expect(sound).toBe('55630d5d5f11663af2f7090957091cd48279571549cc6fc72fe533cf20c1814b')
  expect(sound).toBe(sha256OfParts([one, two]))
  expect([shares.every((share) => share <= 1), shares.at(-1)]).toEqual([true, 1])
  writeFileSync(second!, 'TWO')
  expect(await sha256OfModel(first!)).not.toBe(sound)
})

test('the checksum of a model in one file is that of the file', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'pipit-part-')), 'm.gguf')
  onTestFinished(() => rmSync(join(path, '..'), { recursive: true, force: true }))
  writeFileSync(path, 'one')
  expect(await sha256OfModel(path)).toBe(one)
})
