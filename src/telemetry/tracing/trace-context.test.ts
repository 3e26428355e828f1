import { expect, test } from 'vitest'
import { readTraceparent, writeTraceparent } from './trace-context.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const span = '00f067aa0ba902b7'

test('a header is read and written, with its flag', () => {
  for (const [flags, isSampled] of [
    ['00', false],
    ['01', true],
    ['03', true],
  ] as const) {
    const read = readTraceparent(`00-${trace}-${span}-${flags}`)
    expect(read).toEqual({ traceId: trace, spanId: span, isSampled })
    expect(read && writeTraceparent(read)).toBe(`00-${trace}-${span}-${isSampled ? '01' : '00'}`)
  }
  expect(readTraceparent(`cc-${trace}-${span}-01-what-comes`)?.traceId).toBe(trace)
})

test.each([
  undefined,
  '',
  [`00-${trace}-${span}-01`],
  `00-${trace}-${span}`,
  `00-${trace}-${span}-01-more`,
  `ff-${trace}-${span}-01`,
  `00-${trace.toUpperCase()}-${span}-01`,
  `00-${'0'.repeat(32)}-${span}-01`,
  `00-${trace}-${'0'.repeat(16)}-01`,
  `00-${trace}-${span}-01\nx: y`,
  `cc-${trace}-${span}-01-${'x'.repeat(600)}`,
])('an invalid header is no trace: %j', (header) => {
  expect(readTraceparent(header)).toBeUndefined()
})
