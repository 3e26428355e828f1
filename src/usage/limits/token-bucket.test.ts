import { fc } from '../../../test/support/random/test-seed.ts'
import { expect, test } from 'vitest'
import type { GiveBack } from './limit-counter.ts'
import { TokenBucket } from './token-bucket.ts'

test('the limit of a minute can be taken at once and refills evenly', () => {
  const bucket = new TokenBucket()
  for (let i = 0; i < 7; i++) {
    expect(bucket.waitMs(7, 1, 0)).toBe(0)
    bucket.take(7, 1, 0)
    expect(bucket.remaining(7, 0)).toBe(6 - i)
  }
  const waitMs = bucket.waitMs(7, 1, 0)
  expect(waitMs).toBe(Math.ceil(60_000 / 7))
  expect(bucket.waitMs(7, 1, waitMs - 1)).toBe(1)
  expect(bucket.waitMs(7, 1, waitMs)).toBe(0)
  expect([bucket.remaining(7, waitMs), bucket.resetMs(7, waitMs)]).toEqual([1, 51_428])
  expect([bucket.remaining(7, 60_000), bucket.resetMs(7, 60_000)]).toEqual([7, 0])
})

test('an amount above the limit never fits', () => {
  expect(new TokenBucket().waitMs(10, 11, 0)).toBe(Infinity)
})

test('an amount that is given back at once is available at once', () => {
  const bucket = new TokenBucket()
  const giveBack = bucket.take(100, 100, 0)
  expect(bucket.remaining(100, 0)).toBe(0)
  giveBack(60, 0)
  expect(bucket.remaining(100, 0)).toBe(60)
})

test('a late give-back returns only the part that is not paid off', () => {
  const bucket = new TokenBucket()
  const giveBack = bucket.take(100, 100, 0)
  // A minute later the debt is paid off, and another request takes the whole limit.
  expect(bucket.waitMs(100, 100, 60_000)).toBe(0)
  bucket.take(100, 100, 60_000)
  giveBack(90, 61_000)
  expect(bucket.remaining(100, 61_000)).toBe(1)
})

test('the unpaid part comes back in full after other requests gave back', () => {
  const bucket = new TokenBucket()
  const giveBackFirst = bucket.take(1000, 500, 0)
  const giveBackSecond = bucket.take(1000, 500, 0)
  giveBackSecond(400, 1200)
  giveBackFirst(400, 2400)
  // Taken 1000, given back 800, paid 40.
  expect(bucket.remaining(1000, 2400)).toBe(840)
})

test('a late give-back does not reduce the debt of other requests', () => {
  const bucket = new TokenBucket()
  const [giveBackFirst, giveBackSecond] = [bucket.take(60, 20, 0), bucket.take(60, 20, 0)]
  bucket.take(60, 20, 0)
  giveBackFirst(20, 0)
  // After 15 s, 15 of the second request's 20 are paid off, and none of the third's.
  giveBackSecond(20, 15_000)
  expect(bucket.remaining(60, 15_000)).toBe(40)
})

test('a clock that goes back pays off nothing twice', () => {
  const bucket = new TokenBucket()
  bucket.take(60, 60, 100_000)
  expect(bucket.remaining(60, 10_000)).toBe(0)
  expect(bucket.remaining(60, 110_000)).toBe(10)
})

test('a minute without use pays off any debt, also one that exceeds the limit after a restart', () => {
  const bucket = new TokenBucket()
  bucket.restore(150, 0)
  expect(bucket.waitMs(60, 60, 30_000)).toBe(30_000)
  const untouched = new TokenBucket()
  untouched.restore(150, 0)
  expect(untouched.waitMs(60, 60, 60_000)).toBe(0)
})

test('a minute pays off any debt after a limit is set or lowered, also while requests run', () => {
  const bucket = new TokenBucket()
  bucket.take(undefined, 5000, 0)
  const giveBackLater = bucket.take(undefined, 1000, 100_000)
  expect(bucket.waitMs(60, 60, 100_000)).toBe(60_000)
  giveBackLater(0, 130_000)
  expect(bucket.remaining(60, 130_000)).toBe(30)
  expect(bucket.waitMs(60, 60, 160_000)).toBe(0)
  bucket.take(60, 60, 160_000)
  expect(bucket.waitMs(20, 20, 160_000)).toBe(60_000)
  expect(bucket.remaining(20, 190_000)).toBe(10)
})

test('after the debt is cut to a lowered limit, only what is left of a part comes back', () => {
  const bucket = new TokenBucket()
  const giveBackFirst = bucket.take(100, 50, 0)
  const giveBackSecond = bucket.take(100, 50, 0)
  expect(bucket.remaining(20, 0)).toBe(0)
  giveBackFirst(50, 0)
  expect(bucket.remaining(20, 0)).toBe(0)
  giveBackSecond(15, 0)
  expect(bucket.remaining(20, 0)).toBe(15)
})

test('while a request runs, use beyond the limit is not forgiven', () => {
  const bucket = new TokenBucket()
  bucket.take(60, 10, 0)
  bucket.take(60, 200, 0)
  expect(bucket.waitMs(60, 60, 60_000)).toBe(150_000)
  expect(bucket.waitMs(60, 60, 209_999)).toBe(1)
  expect(bucket.waitMs(60, 60, 210_000)).toBe(0)
})

type Step = { waitMs: number } & ({ take: number } | { giveBack: number; part: number })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ waitMs: fc.nat(9000), take: fc.integer({ min: 1, max: 20 }) }),
  fc.record({
    waitMs: fc.nat(9000),
    giveBack: fc.nat(9),
    part: fc.integer({ min: 0, max: 4 }).map((quarters) => quarters / 4),
  }),
)

test('in any order of steps its debt equals that of a plain queue, oldest part paid first', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 80, size: 'max' }),
      fc.integer({ min: 10, max: 60 }),
      (steps, limit) => {
        const bucket = new TokenBucket()
        const queue = new Queue(limit)
        const open: { tokens: number; giveBack: GiveBack; owed: Owed }[] = []
        let nowMs = 0
        for (const event of steps) {
          nowMs += event.waitMs
          queue.pay(event.waitMs)
          if ('take' in event) {
            if (bucket.waitMs(limit, event.take, nowMs) > 0) continue
            expect(queue.debt + event.take * 60_000).toBeLessThanOrEqual(limit * 60_000)
            const giveBack = bucket.take(limit, event.take, nowMs)
            open.push({ tokens: event.take, giveBack, owed: queue.take(event.take) })
          } else {
            const [one] = open.splice(event.giveBack % Math.max(1, open.length), 1)
            if (one === undefined) continue
            const tokens = Math.floor(one.tokens * event.part)
            one.giveBack(tokens, nowMs)
            one.owed.units -= Math.min(one.owed.units, tokens * 60_000)
          }
          const left = Math.floor((limit * 60_000 - queue.debt) / 60_000)
          expect(bucket.remaining(limit, nowMs)).toBe(left)
        }
      },
    ),
    { numRuns: 500 },
  )
})

type Owed = { units: number }

/** The plain model: a queue of parts, paid off in the order in which they were taken. */
class Queue {
  readonly #limit: number
  readonly #owed: Owed[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  get debt(): number {
    return this.#owed.reduce((sum, { units }) => sum + units, 0)
  }

  take(tokens: number): Owed {
    const owed = { units: tokens * 60_000 }
    this.#owed.push(owed)
    return owed
  }

  pay(ms: number): void {
    let units = ms * this.#limit
    for (const owed of this.#owed) {
      const paid = Math.min(units, owed.units)
      owed.units -= paid
      units -= paid
    }
  }
}
