import { fc } from '../../../../test/support/random/test-seed.ts'
import { expect, test } from 'vitest'
import { splitBlocks } from './split-blocks.ts'

test('blocks end at blank lines, except inside code and before indented lines', () => {
  expect(splitBlocks('one\ntwo\n\nthree\n\n- a\n\n  b\n\n```\nx\n\ny\n```\n\nend')).toEqual([
    'one\ntwo\n',
    'three\n',
    '- a\n\n  b\n',
    '```\nx\n\ny\n```\n',
    'end',
  ])
  expect(splitBlocks('````\n```\n\nstill code')).toEqual(['````\n```\n\nstill code'])
})

test('blocks join to the whole text, and finished blocks stay the same while the text grows', () => {
  const line = fc.constantFrom('', 'text', '- item', '  more', '```', '~~~', '# title', '| a |')
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const text = lines.join('\n')
      const blocks = splitBlocks(text)
      expect(blocks.join('\n')).toBe(text)
      const later = splitBlocks(`${text}\n\nmore`)
      expect(later.slice(0, blocks.length - 1)).toEqual(blocks.slice(0, -1))
    }),
    { seed: 11, numRuns: 1000 },
  )
})
