import { expect, test } from 'vitest'
import { judge } from './verdict.ts'

const good = {
  acknowledged: 900,
  differing: 0,
  open: 0,
  day: { seen: 3900, ledger: 3900, limit: 4000, refused: 20 },
  minute: { served: 120, max: 120, refused: 30 },
  unexpected: [],
}
const failed = (facts: object) =>
  judge({ ...good, ...facts }).flatMap(({ text, isRight }) => (isRight ? [] : [text]))

test('the demo succeeds if nothing was lost and both limits were reached and kept', () => {
  expect(failed({})).toEqual([])
})

test('the demo fails without a reply, or if the ledger differs or has open entries', () => {
  expect(failed({ acknowledged: 0 })).toEqual([
    '0 replies were received whole; 0 differ from the ledger',
  ])
  expect(failed({ differing: 1 })).toHaveLength(1)
  expect(failed({ open: 1 })).toHaveLength(1)
})

test('the demo fails if a limit was passed, or not reached', () => {
  expect(failed({ day: { ...good.day, seen: 4001 } })).toHaveLength(1)
  expect(failed({ minute: { ...good.minute, served: 121 } })).toHaveLength(1)
  expect(failed({ day: { ...good.day, refused: 0 } })).toEqual([
    'tokens per day: callers have 3900, the ledger 3900 of 4000; the limit was not reached',
  ])
  expect(failed({ minute: { ...good.minute, refused: 0 } })).toEqual([
    'requests per minute: 120 of at most 120; the limit was not reached',
  ])
})

test('the demo fails if a request ended in a way that no kill explains', () => {
  const unexpected = ['500 internal_error', '500 internal_error', '401 invalid_api_key']
  expect(failed({ unexpected })).toEqual([
    '3 requests ended in another way: 2 × 500 internal_error, 1 × 401 invalid_api_key',
  ])
})
