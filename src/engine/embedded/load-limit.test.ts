import { closeSync, ftruncateSync, openSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/engine/engine-fixtures.ts'
import { loadLimitMs } from './load-limit.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

/** Creates a sparse file, which takes no space on the disk. */
function fileOf(bytes: number): string {
  const path = join(folder.path, `${bytes}.gguf`)
  const file = openSync(path, 'w')
  ftruncateSync(file, bytes)
  closeSync(file)
  return path
}

test.each([
  ['the bundled model', 8_000_000, 120_400],
  ['8 billion weights in Q4_K_M', 4_900_000_000, 365_000],
  ['70 billion weights in Q4_K_M', 42_500_000_000, 2_245_000],
  ['a file larger than any', 2 ** 43, 439_924_651],
])('%s may take longer to load than a smaller file', (_, bytes, limitMs) => {
  expect(loadLimitMs(fileOf(bytes), 120_000)).toBe(limitMs)
})

test('all parts of a split model count, of which the first may have no weights', () => {
  const [first, ...others] = [1, 2, 3].map((part) => `m-0000${part}-of-00003.gguf`)
  for (const name of [first!, ...others])
    renameSync(fileOf(name === first ? 8_000_000 : 50_000_000_000), join(folder.path, name))
  expect(loadLimitMs(join(folder.path, first!), 120_000)).toBe(5_120_400)
})

test('a file that does not exist or cannot be reached has the least limit', () => {
  for (const name of ['none.gguf', '8000000.gguf/model.gguf', 'x'.repeat(5000)])
    expect(loadLimitMs(join(folder.path, name), 120_000)).toBe(120_000)
})
