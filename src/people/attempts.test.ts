import { expect, test } from 'vitest'
import { Attempts } from './attempts.ts'
import { attemptsOfAccountFree, attemptsOfNetworkFree, attemptsSubjectsMax } from '../limits.ts'

test('the wait for one account doubles up to a minute, from any address', () => {
  let nowMs = 0
  const attempts = new Attempts(() => nowMs)
  let address = 1
  const tryIt = () => attempts.begin(`10.0.${address >> 8}.${address++ & 255}`, 'ada@example.com')
  for (let i = 0; i < attemptsOfAccountFree; i++) tryIt()
  const waits: number[] = []
  for (let i = 0; i < 8; i++) {
    let waitedMs = 0
    for (;;) {
      try {
        tryIt()
        break
      } catch {
        nowMs += 1000
        waitedMs += 1000
      }
    }
    waits.push(waitedMs)
  }
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
})

test('addresses of one /64 count as one network', () => {
  const attempts = new Attempts(() => 0)
  let admitted = 0
  for (let i = 0; i < 200; i++)
    try {
      attempts.begin(
        `2001:db8:1:2:${i.toString(16)}::${(i * 7).toString(16)}`,
        `user${i}@example.com`,
      )
      admitted++
    } catch {
      // Refused.
    }
  expect(admitted).toBe(attemptsOfNetworkFree)
  attempts.begin('2001:db8:1:3::1', 'other@example.com')
})

test('parallel attempts count before their outcome is known, and a success resets the account', () => {
  const attempts = new Attempts(() => 0)
  let succeed = () => {}
  for (let i = 0; i < attemptsOfAccountFree; i++) succeed = attempts.begin('10.0.0.1', 'ada')
  expect(() => attempts.begin('10.0.0.1', 'ada')).toThrow('Too many failed attempts')
  succeed()
  attempts.begin('10.0.0.1', 'ada')
})

test('signing in to one account allows no further guesses at others', () => {
  const attempts = new Attempts(() => 0)
  for (let i = 0; i < attemptsOfNetworkFree; i++) {
    attempts.begin('10.0.0.1', `user${i}`)
    if (i < attemptsOfNetworkFree - 1) attempts.begin('10.0.0.1', 'own')()
  }
  expect(() => attempts.begin('10.0.0.1', 'other')).toThrow('Too many failed attempts')
})

test('beyond the maximum of subjects, the least recent ones are forgotten', () => {
  const attempts = new Attempts(() => 0)
  const addressOf = (i: number) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`
  for (let i = 0; i < attemptsOfAccountFree; i++) attempts.begin(addressOf(i), 'ada')
  expect(() => attempts.begin('10.0.0.1', 'ada')).toThrow('Too many failed attempts')
  for (let i = 0; i < attemptsSubjectsMax; i++) attempts.begin(addressOf(i + 100), undefined)
  attempts.begin('10.0.0.1', 'ada')
})

test.each([
  ['127.0.0.1', '127.0.0.2', 'different networks'],
  ['::ffff:192.0.2.7', '192.0.2.7', 'one network'],
  ['::1', '0:0:0:0:ffff::1', 'one network'],
  ['2001:db8::1', '2001:db8:0:0:7::', 'one network'],
  ['2001:0DB8:0001:0002:3:4:5:6', '2001:db8:1:2::9', 'one network'],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', 'different networks'],
  ['fe80::1%eth0', 'fe80::2%wlan0', 'one network'],
])('%s and %s count as %s', (first, second, relation) => {
  const attempts = new Attempts(() => 0)
  for (let i = 0; i < attemptsOfNetworkFree; i++) attempts.begin(first, undefined)
  const next = () => attempts.begin(second, undefined)
  if (relation === 'one network') expect(next).toThrow('Too many failed attempts')
  else expect(next).not.toThrow()
})
