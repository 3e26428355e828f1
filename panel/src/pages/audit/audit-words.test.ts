import { expect, test } from 'vitest'
import { changeLines } from './audit-words.ts'

test('a change says what was and what is', () => {
  const before = { tokens_per_day: 100, name: 'ci' }
  const after = { tokens_per_day: null, name: 'CI' }
  expect(changeLines({ before, after })).toEqual(['tokens per day: 100 → none', 'name: ci → CI'])
  expect(changeLines({ before: null, after: { role: 'member', grace_ms: 3_600_000 } })).toEqual([
    'role: member',
    'grace: 1 h',
  ])
  expect(changeLines({ before: null, after: null })).toEqual([])
})

test('a removal says what was removed', () => {
  expect(changeLines({ before: { passkey: 'laptop' }, after: null })).toEqual([
    'passkey: laptop → none',
  ])
  const before = { currency: 'EUR', prompt: '0.15' }
  expect(changeLines({ before, after: { currency: 'EUR' } })).toEqual([
    'currency: EUR → EUR',
    'prompt: 0.15 → none',
  ])
})
