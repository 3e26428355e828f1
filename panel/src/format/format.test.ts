import { expect, test } from 'vitest'
import {
  formatCompact,
  formatCount,
  formatDuration,
  formatMoney,
  formatPercent,
  formatTokensPerSecond,
} from './format.ts'

test('numbers have thousands separators, or a compact form', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567')
  expect(formatCompact(1_234_567)).toBe('1.23M')
  expect(formatCompact(999)).toBe('999')
  expect(formatPercent(0.0713)).toBe('7.1%')
  expect(formatTokensPerSecond(38.44)).toBe('38.4 tokens/s')
  expect(formatTokensPerSecond(1_234.5)).toBe('1,235 tokens/s')
})

test('durations have at most two units', () => {
  expect(formatDuration(0)).toBe('0 ms')
  expect(formatDuration(340.4)).toBe('340 ms')
  expect(formatDuration(1_250)).toBe('1.25 s')
  expect(formatDuration(59_960)).toBe('1 min')
  expect(formatDuration(125_000)).toBe('2 min 5 s')
  expect(formatDuration(3_599_600)).toBe('1 h')
  expect(formatDuration(11_040_000)).toBe('3 h 4 min')
  expect(formatDuration(183_600_000)).toBe('2 d 3 h')
})

test('money keeps six decimals below one, and never becomes a float', () => {
  expect(formatMoney('0.000183', 'EUR')).toBe('€0.000183')
  expect(formatMoney('0', 'USD')).toBe('$0.00')
  expect(formatMoney('1.239', 'CHF')).toBe('CHF\u00a01.24')
  expect(formatMoney('90071992547409931.25', 'EUR')).toBe('€90,071,992,547,409,931.25')
})
