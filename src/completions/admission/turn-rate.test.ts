import { expect, test } from 'vitest'
import { turnsMin } from './queue-limits.ts'
import { TurnRate } from './turn-rate.ts'

/** Returns the rate of a line that began to wait at 0 and had turns after these times. */
function rateOf(gapsMs: readonly number[]): TurnRate {
  const rate = new TurnRate()
  rate.begin(0)
  let atMs = 0
  for (const gapMs of gapsMs) rate.note((atMs += gapMs))
  return rate
}

test('the time between turns is unknown before enough of them', () => {
  expect(rateOf(Array(turnsMin - 1).fill(100)).msPerTurn).toBe(0)
  expect(rateOf(Array(turnsMin).fill(100)).msPerTurn).toBe(100)
})

test('one pause, such as a restart of the engine, does not count', () => {
  expect(rateOf([...Array(15).fill(100), 10_000]).msPerTurn).toBe(100)
})

test('only the latest turns count', () => {
  expect(rateOf([...Array(16).fill(100), ...Array(16).fill(200)]).msPerTurn).toBe(200)
})

test('a line that begins to wait is measured anew', () => {
  const rate = rateOf(Array(turnsMin).fill(100))
  rate.begin(10_000)
  expect(rate.msPerTurn).toBe(0)
})
