import { expect, test } from 'vitest'
import { parseLimitTexts, toLimitTexts } from './limit-texts.ts'

const none = {
  requests_per_minute: null,
  tokens_per_minute: null,
  parallel_requests: null,
  tokens_per_day: null,
  tokens_per_month: null,
}

test('what is not limited is an empty field, and an empty field limits nothing', () => {
  const texts = toLimitTexts({ ...none, tokens_per_day: 5_000 })
  expect(texts).toMatchObject({ tokens_per_day: '5000', requests_per_minute: '' })
  expect(parseLimitTexts(texts)).toEqual({ limits: { ...none, tokens_per_day: 5_000 } })
})

test('thousands may be set apart', () => {
  const texts = { ...toLimitTexts(none), tokens_per_month: ' 1,000 000 ' }
  expect(parseLimitTexts(texts)).toEqual({ limits: { ...none, tokens_per_month: 1_000_000 } })
})

test('what is no whole number from 1 is told at its field', () => {
  for (const text of ['0', '-1', '1.5', 'many', '1e6'])
    expect(parseLimitTexts({ ...toLimitTexts(none), parallel_requests: text })).toEqual({
      faults: { parallel_requests: 'A whole number from 1, or nothing.' },
    })
})
