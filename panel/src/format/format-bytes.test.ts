import { expect, test } from 'vitest'
import { formatBytes } from './format-bytes.ts'

test.each([
  [0, '0 B'],
  [640, '640 B'],
  [3_070, '3.07 kB'],
  [52_400_000, '52.4 MB'],
  [1_100_000_000, '1.1 GB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
