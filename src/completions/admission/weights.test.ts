import { expect, test } from 'vitest'
import { StartError } from '../../errors.ts'
import { parseWeights } from './weights.ts'

test('weights are of ids or names, and the id counts first', () => {
  const weights = parseWeights(' team a = 2, key_1=0.5 ,gold=10,acct_1=4,')
  const named = { accountId: 'acct_2', accountName: 'team a', keyId: 'key_2', name: 'gold' }
  expect([weights.ofAccount(named), weights.ofKey(named)]).toEqual([2, 10])
  const byId = { accountId: 'acct_1', accountName: 'team a', keyId: 'key_1', name: 'gold' }
  expect([weights.ofAccount(byId), weights.ofKey(byId)]).toEqual([4, 0.5])
  const others = { accountId: 'acct_3', accountName: 'other', keyId: 'playground' }
  expect([weights.ofAccount(others), weights.ofKey(others)]).toEqual([1, 1])
  expect([parseWeights(undefined).isEmpty, weights.isEmpty]).toEqual([true, false])
})

test.each([
  'gold',
  'gold=',
  '=2',
  'gold=0',
  'gold=-1',
  'gold=101',
  'gold=1e1',
  'a=1,a=2',
  'gold=x',
])('PIPIT_WEIGHTS of %j is refused', (text) => {
  expect(() => parseWeights(text)).toThrow(StartError)
  expect(() => parseWeights(text)).toThrow(/^PIPIT_WEIGHTS /)
})

test('PIPIT_WEIGHTS has at most 256 entries', () => {
  const entries = Array.from({ length: 257 }, (_, i) => `k${i}=1`)
  expect(() => parseWeights(entries.join())).toThrow(/257 entries/)
  expect(parseWeights(entries.slice(1).join()).isEmpty).toBe(false)
})
