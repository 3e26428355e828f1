import { expect, test } from 'vitest'
import { errorCatalogue } from '../../../../src/errors.ts'
import { explain } from './receipt-words.ts'

test('a receipt says in words what became of its request', () => {
  expect(explain({ status: 'completed', finish_reason: 'length', error: null })).toBe(
    'The reply was cut: max_tokens or the context window was reached.',
  )
  expect(explain({ status: 'cancelled', finish_reason: null, error: null })).toBe(
    'The caller hung up before the end. What was generated until then counts.',
  )
})

test('every error of a receipt says what to do, also one that is not known here', () => {
  for (const code of [...Object.keys(errorCatalogue), 'of_a_later_version'])
    for (const status of ['refused', 'failed'] as const)
      expect(explain({ status, finish_reason: null, error: { code } })).toMatch(
        /(send|use|raise|ask|disk)/i,
      )
})
