import { expect, test } from 'vitest'
import { WaitLimit } from './wait-limit.ts'

test('an overload that is over begins again only after another ten seconds of a full queue', () => {
  const limit = new WaitLimit(30_000)
  limit.noteWaiting(0)
  limit.noteRefusal(10_000)
  expect(limit.ms(10_000, 100)).toBe(1000)
  limit.noteEmpty()
  // Nothing asks for the limit until a burst of requests is refused an hour later.
  const laterMs = 3_600_000
  limit.noteWaiting(laterMs)
  limit.noteRefusal(laterMs)
  expect(limit.ms(laterMs, 100)).toBe(30_000)
  limit.noteRefusal(laterMs + 9999)
  expect(limit.ms(laterMs + 9999, 100)).toBe(30_000)
  expect(limit.ms(laterMs + 10_000, 100)).toBe(1000)
})

test('an overload lasts through refusals that are at most ten seconds apart', () => {
  const limit = new WaitLimit(30_000)
  limit.noteWaiting(0)
  limit.noteRefusal(10_000)
  expect(limit.isStanding(10_000)).toBe(true)
  limit.noteEmpty()
  limit.noteRefusal(20_000)
  expect(limit.isStanding(30_000)).toBe(true)
  expect(limit.isStanding(30_001)).toBe(false)
})
