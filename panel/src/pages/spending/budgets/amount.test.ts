import { expect, test } from 'vitest'
import { toAmount } from './amount.ts'

test('a comma stays in an amount of money, so that 25,50 does not become 2550', () => {
  expect(toAmount('money', ' 25,50 ')).toBe('25,50')
  expect(toAmount('money', '25.50')).toBe('25.50')
})

test('tokens may have thousands separators', () => {
  expect(toAmount('tokens', ' 1,000 000 ')).toBe('1000000')
})
