import { expect, test } from 'vitest'
import { errorCodes } from '../../../../src/errors.ts'
import { explain } from './receipt-words.ts'

test('a receipt is explained in words', () => {
  expect(explain({ status: 'completed', finish_reason: 'length', error: null })).toBe(
    'The reply was cut off at max_tokens or at the context window.',
  )
  expect(explain({ status: 'cancelled', finish_reason: null, error: null })).toBe(
    'The client disconnected before the end. Tokens generated until then are counted.',
  )
})

test('the explanation of every error says what to do, also for an unknown code', () => {
  for (const code of [...errorCodes, 'of_a_later_version'])
    for (const status of ['refused', 'failed'] as const)
      expect(explain({ status, finish_reason: null, error: { code } })).toMatch(
        /(send|use|raise|ask|disk)/i,
      )
})
