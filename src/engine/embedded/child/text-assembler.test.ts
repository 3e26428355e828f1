import { fc } from '../../../../test/support/random/test-seed.ts'
import { expect, test } from 'vitest'
import { ReplyReader } from '../../dialect/reply-reader.ts'
import { TextAssembler } from './text-assembler.ts'

function assemble(bytes: Uint8Array, sizes: readonly number[], stop: string[] = []): string[] {
  const assembler = new TextAssembler(new ReplyReader(stop))
  const deltas: string[] = []
  let offset = 0
  for (const size of [...sizes, bytes.length]) {
    const { text, stopped } = assembler.push(bytes.subarray(offset, offset + size))
    deltas.push(text)
    if (stopped) return deltas
    offset = Math.min(offset + size, bytes.length)
  }
  return [...deltas, assembler.finish().text]
}

test('a character whose bytes arrive one by one is delivered whole', () => {
  const bytes = new TextEncoder().encode('🐦ä')
  expect(assemble(bytes, [1, 1, 1, 1, 1, 1])).toEqual(['', '', '', '🐦', '', 'ä', '', ''])
})

test('an incomplete character at the end is left out', () => {
  expect(assemble(Uint8Array.of(0x61, 0xf0, 0x9f, 0x90), [1, 1, 1, 1]).join('')).toBe('a')
})

test('bytes that are not UTF-8 become U+FFFD', () => {
  expect(assemble(Uint8Array.of(0x61, 0xff, 0xfe, 0x62), []).join('')).toBe('a\ufffd\ufffdb')
})

test('a byte order mark is text like any other', () => {
  expect(assemble(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61), []).join('')).toBe('\ufeffa')
})

test('a stop sequence is found across cuts in its bytes', () => {
  const bytes = new TextEncoder().encode('say 🐦 twice')
  expect(assemble(bytes, [5, 1, 1, 1, 1], ['🐦 t']).join('')).toBe('say ')
})

test('any cuts give the same text, and every delta is well-formed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.array(fc.nat(4)), (bytes, sizes) => {
      const deltas = assemble(bytes, sizes)
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
      expect(deltas.join('')).toBe(decoder.decode(bytes, { stream: true }))
      expect(deltas.every((delta) => delta.isWellFormed())).toBe(true)
    }),
  )
})
