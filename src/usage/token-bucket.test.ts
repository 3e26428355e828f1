import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TokenBucket } from './token-bucket.ts'

test('a minute’s worth can be taken at once, and comes back evenly', () => {
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
  expect([bucket.remaining(7, waitMs), bucket.fullInMs(7, waitMs)]).toEqual([1, 51_428])
  expect([bucket.remaining(7, 60_000), bucket.fullInMs(7, 60_000)]).toEqual([7, 0])
})

test('more than the limit never fits', () => {
  expect(new TokenBucket().waitMs(10, 11, 0)).toBe(Infinity)
})

test('what is given back at once is there at once', () => {
  const bucket = new TokenBucket()
  const share = bucket.take(100, 100, 0)
  expect(bucket.remaining(100, 0)).toBe(0)
  bucket.giveBack(share, 100, 60, 0)
  expect(bucket.remaining(100, 0)).toBe(60)
})

test('what is given back late gives no more than what was not paid off meanwhile', () => {
  const bucket = new TokenBucket()
  const slow = bucket.take(100, 100, 0)
  // A minute later it is paid off, and somebody else takes everything.
  expect(bucket.waitMs(100, 100, 60_000)).toBe(0)
  bucket.take(100, 100, 60_000)
  bucket.giveBack(slow, 100, 90, 61_000)
  expect(bucket.remaining(100, 61_000)).toBe(1)
})

test('the part that is not paid off yet comes back in full, whoever gave back before', () => {
  const bucket = new TokenBucket()
  const first = bucket.take(1000, 500, 0)
  const second = bucket.take(1000, 500, 0)
  bucket.giveBack(second, 1000, 400, 1200)
  bucket.giveBack(first, 1000, 400, 2400)
  // Taken 1000, given back 800, paid 40.
  expect(bucket.remaining(1000, 2400)).toBe(840)
})

test('what is given back late is not taken from what others owe', () => {
  const bucket = new TokenBucket()
  const [first, second] = [bucket.take(60, 20, 0), bucket.take(60, 20, 0)]
  bucket.take(60, 20, 0)
  bucket.giveBack(first, 60, 20, 0)
  // By then the second one has paid 15 of its 20, and the third one owes all of its own.
  bucket.giveBack(second, 60, 20, 15_000)
  expect(bucket.remaining(60, 15_000)).toBe(40)
})

test('a clock that goes back pays nothing twice', () => {
  const bucket = new TokenBucket()
  bucket.take(60, 60, 100_000)
  expect(bucket.remaining(60, 10_000)).toBe(0)
  expect(bucket.remaining(60, 110_000)).toBe(10)
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

test('in any order it owes what a queue of the single shares, first taken first paid, would', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 80, size: 'max' }),
      fc.integer({ min: 10, max: 60 }),
      (steps, limit) => {
        const bucket = new TokenBucket()
        const queue = new Queue(limit)
        const open: { tokens: number; share: { end: number }; owed: Owed }[] = []
        let nowMs = 0
        for (const event of steps) {
          nowMs += event.waitMs
          queue.pay(event.waitMs)
          if ('take' in event) {
            if (bucket.waitMs(limit, event.take, nowMs) > 0) continue
            expect(queue.debt + event.take * 60_000).toBeLessThanOrEqual(limit * 60_000)
            const share = bucket.take(limit, event.take, nowMs)
            open.push({ tokens: event.take, share, owed: queue.take(event.take) })
          } else {
            const [one] = open.splice(event.giveBack % Math.max(1, open.length), 1)
            if (one === undefined) continue
            const tokens = Math.floor(one.tokens * event.part)
            bucket.giveBack(one.share, limit, tokens, nowMs)
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

/** The same by the book: every share by itself, paid in the order in which it was taken. */
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
