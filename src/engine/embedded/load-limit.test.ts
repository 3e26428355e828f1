import { closeSync, ftruncateSync, openSync } from 'node:fs'
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

test('a file that does not exist has the least limit', () => {
  expect(loadLimitMs(join(folder.path, 'none.gguf'), 120_000)).toBe(120_000)
})
