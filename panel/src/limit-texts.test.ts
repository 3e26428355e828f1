import { expect, test } from 'vitest'
import { changedLimits, noLimits, parseLimitTexts, toLimitTexts } from './limit-texts.ts'

test('an empty field means no limit, both ways', () => {
  const texts = toLimitTexts({ ...noLimits, tokens_per_day: 5_000 })
  expect(texts).toMatchObject({ tokens_per_day: '5000', requests_per_minute: '' })
  expect(parseLimitTexts(texts)).toEqual({ limits: { ...noLimits, tokens_per_day: 5_000 } })
})

test('a number may have thousands separators', () => {
  const texts = { ...toLimitTexts(noLimits), tokens_per_month: ' 1,000 000 ' }
  expect(parseLimitTexts(texts)).toEqual({ limits: { ...noLimits, tokens_per_month: 1_000_000 } })
})

test('a text that is not a whole number of 1 or more is an error of its field', () => {
  for (const text of ['0', '-1', '1.5', 'many', '1e6'])
    expect(parseLimitTexts({ ...toLimitTexts(noLimits), parallel_requests: text })).toEqual({
      faults: { parallel_requests: 'Enter a whole number of 1 or more, or leave blank.' },
    })
})

test('only the limits that differ are changes, and a limit can be removed', () => {
  const before = { ...noLimits, tokens_per_day: 5_000, parallel_requests: 2 }
  const after = { ...before, tokens_per_day: null, tokens_per_month: 7_000 }
  expect(changedLimits(before, after)).toEqual({ tokens_per_day: null, tokens_per_month: 7_000 })
  expect(changedLimits(before, before)).toBeUndefined()
})
