import { expect, test } from 'vitest'
import { Quarantine } from './quarantine.ts'

const request = (name: string) => ({ fingerprint: () => name })

test('two strikes refuse a request, for ten minutes (T19)', () => {
  let nowMs = 0
  const quarantine = new Quarantine(() => nowMs)
  quarantine.strike([request('a')])
  expect(quarantine.refuses(request('a'))).toBe(false)
  quarantine.strike([request('a')])
  expect(quarantine.refuses(request('a'))).toBe(true)
  expect(quarantine.refuses(request('b'))).toBe(false)
  nowMs = 600_000
  expect(quarantine.refuses(request('a'))).toBe(false)
})

test('strikes more than ten minutes apart do not add up', () => {
  let nowMs = 0
  const quarantine = new Quarantine(() => nowMs)
  quarantine.strike([request('a')])
  nowMs = 600_001
  quarantine.strike([request('a')])
  expect(quarantine.refuses(request('a'))).toBe(false)
})

test('a request that has ended well is no longer suspect', () => {
  const quarantine = new Quarantine(() => 0)
  quarantine.strike([request('a')])
  quarantine.clear(request('a'), [request('b')])
  quarantine.strike([request('a')])
  expect(quarantine.refuses(request('a'))).toBe(false)
})

test('the oldest strikes are forgotten when there are too many', () => {
  const quarantine = new Quarantine(() => 0)
  for (const name of ['first', 'first', 'second', 'second']) quarantine.strike([request(name)])
  for (let index = 0; index < 999; index++) quarantine.strike([request(`other ${index}`)])
  expect(quarantine.refuses(request('first'))).toBe(false)
  expect(quarantine.refuses(request('second'))).toBe(true)
})

test('several choices of one request count as one strike', () => {
  const quarantine = new Quarantine(() => 0)
  quarantine.strike([request('a'), request('a')])
  expect(quarantine.refuses(request('a'))).toBe(false)
})

test('a choice that ends well says nothing of another choice of its request', () => {
  const quarantine = new Quarantine(() => 0)
  quarantine.strike([request('a')])
  quarantine.clear(request('a'), [request('b'), request('a')])
  quarantine.strike([request('a')])
  expect(quarantine.refuses(request('a'))).toBe(true)
})
