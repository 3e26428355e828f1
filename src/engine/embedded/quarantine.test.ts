import { expect, test } from 'vitest'
import { Quarantine } from './quarantine.ts'

test('two strikes refuse a request, for ten minutes', () => {
  let nowMs = 0
  const quarantine = new Quarantine(() => nowMs)
  quarantine.strike('a')
  expect(quarantine.refuses('a')).toBe(false)
  quarantine.strike('a')
  expect(quarantine.refuses('a')).toBe(true)
  expect(quarantine.refuses('b')).toBe(false)
  nowMs = 600_000
  expect(quarantine.refuses('a')).toBe(false)
})

test('strikes more than ten minutes apart do not add up', () => {
  let nowMs = 0
  const quarantine = new Quarantine(() => nowMs)
  quarantine.strike('a')
  nowMs = 600_001
  quarantine.strike('a')
  expect(quarantine.refuses('a')).toBe(false)
})

test('a request that has ended well is no longer suspect', () => {
  const quarantine = new Quarantine(() => 0)
  quarantine.strike('a')
  quarantine.clear('a')
  quarantine.strike('a')
  expect(quarantine.refuses('a')).toBe(false)
})

test('the oldest strikes are forgotten when there are too many', () => {
  const quarantine = new Quarantine(() => 0)
  for (const name of ['first', 'first', 'second', 'second']) quarantine.strike(name)
  for (let index = 0; index < 999; index++) quarantine.strike(`other ${index}`)
  expect(quarantine.refuses('first')).toBe(false)
  expect(quarantine.refuses('second')).toBe(true)
})
