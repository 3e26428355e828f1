import { fc } from '../../../test/support/random/test-seed.ts'
import { expect, test } from 'vitest'
import { defaultSettings, type Settings } from './settings.ts'
import { fromFragment, toFragment } from './share-link.ts'

const settings = fc
  .dictionary(
    fc.constantFrom(...Object.keys(defaultSettings)),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
  )
  .map((some): Settings => ({ ...defaultSettings, ...some }))

test('a link restores the settings it was made from', () => {
  fc.assert(
    fc.property(fc.array(settings, { minLength: 1, maxLength: 2 }), (columns) => {
      const fragment = toFragment(columns) ?? ''
      const isPlain = columns.length === 1 && fragment === ''
      expect(fromFragment(fragment)).toEqual(isPlain ? undefined : columns)
    }),
    { seed: 5, numRuns: 500 },
  )
})

test('link length is limited when writing and when reading', () => {
  const schema = 'x'.repeat(8_000)
  expect(toFragment([{ ...defaultSettings, schema }])).toBeUndefined()
  expect(fromFragment(`schema=${schema}`)).toBeUndefined()
})

test('everything in a link except settings is ignored', () => {
  expect(fromFragment('messages=hi&key=sk-pipit-x&__proto__=1&content')).toBeUndefined()
  expect(fromFragment('temperature=0.1&system=be%20evil&b.seed=1')).toEqual([
    { ...defaultSettings, temperature: '0.1' },
  ])
})
