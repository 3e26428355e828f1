import { describe, expect, test, vi } from 'vitest'
import { ServiceError } from '../../errors.ts'
import { bodyBytesOfKeyMax, bodyBytesOfPlace, logprobBytesOfKeyMax } from '../../limits.ts'
import { Admission } from './admission.ts'
import type { Place } from './place.ts'

const never = new AbortController().signal
const holder = { accountId: 'acct', keyId: 'key' }
const work = { promptTokens: 10, outputTokensMax: 100 }

/** Takes a place and starts it, as a request does once its body has arrived. */
function start(admission: Admission, by = holder): Place {
  const place = admission.enter(by)
  place.start()
  return place
}

test('no more callers hold a slot than there are slots, and they follow in order of arrival', async () => {
  const admission = new Admission({ slots: 2 })
  const order: number[] = []
  const places = [0, 1, 2, 3].map(() => start(admission))
  const turns = places.map(async (place, i) => {
    await place.takeSlots(1, work, never)
    order.push(i)
  })
  await Promise.all(turns.slice(0, 2))
  expect([admission.running, admission.waiting]).toEqual([2, 2])
  places[0]?.leave()
  await turns[2]
  places[1]?.leave()
  await turns[3]
  expect(order).toEqual([0, 1, 2, 3])
  for (const place of places) place.leave()
  expect([admission.running, admission.waiting]).toEqual([0, 0])
})

test('a full queue refuses at once, with a time to retry (T43)', () => {
  const admission = new Admission({ slots: 1, queueMax: 1 })
  start(admission)
  start(admission)
  expect(() => admission.enter(holder)).toThrow(
    expect.objectContaining({ code: 'overloaded', retryAfterMs: expect.any(Number) }),
  )
})

test('a request that waits too long is refused, and its place is free again', async () => {
  const admission = new Admission({ slots: 1, queueMax: 1, waitMaxMs: 1 })
  const first = start(admission)
  await first.takeSlots(1, work, never)
  const second = start(admission)
  await expect(second.takeSlots(1, work, never)).rejects.toMatchObject({ code: 'overloaded' })
  second.leave()
  expect([admission.running, admission.waiting]).toEqual([1, 0])
})

test('a request that left the queue gets no slot later', async () => {
  const admission = new Admission({ slots: 1 })
  const first = start(admission)
  await first.takeSlots(1, work, never)
  const gone = new AbortController()
  const second = start(admission)
  const waiting = second.takeSlots(1, work, gone.signal)
  gone.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  second.leave()
  first.leave()
  expect([admission.running, admission.waiting]).toEqual([0, 0])
})

test('leaving twice counts once', async () => {
  const admission = new Admission({ slots: 1 })
  const place = start(admission)
  await place.takeSlots(1, work, never)
  place.leave()
  place.leave()
  expect([admission.running, admission.waiting]).toEqual([0, 0])
})

test('closing refuses the waiting and newcomers, and waits for the running', async () => {
  const admission = new Admission({ slots: 1 })
  const running = start(admission)
  await running.takeSlots(1, work, never)
  const waiter = start(admission)
  const waiting = waiter.takeSlots(1, work, never)
  const closed = admission.close(10_000)
  await expect(waiting).rejects.toMatchObject({ code: 'shutting_down' })
  waiter.leave()
  expect(() => admission.enter(holder)).toThrow(expect.objectContaining({ code: 'shutting_down' }))
  running.leave()
  expect(await closed).toBe(true)
})

test('closing does not wait for a generation beyond the grace period', async () => {
  const admission = new Admission({ slots: 1 })
  await start(admission).takeSlots(1, work, never)
  expect(await admission.close(1)).toBe(false)
})

test('after a drain, what was accepted keeps its turn, and only newcomers are refused', async () => {
  const admission = new Admission({ slots: 1 })
  const running = start(admission)
  await running.takeSlots(1, work, never)
  admission.drain()
  expect(admission.open).toBe(false)
  const waiter = start(admission)
  const waiting = waiter.takeSlots(1, work, never)
  const receiving = admission.enter(holder)
  const closed = admission.close(60_000)
  expect(() => admission.enter(holder)).toThrow(expect.objectContaining({ code: 'shutting_down' }))
  running.leave()
  await waiting
  waiter.leave()
  receiving.start()
  await receiving.takeSlots(1, work, never)
  receiving.leave()
  expect(await closed).toBe(true)
})

test('what has not started by the end of the grace period is refused, after a drain too', async () => {
  const admission = new Admission({ slots: 1 })
  await start(admission).takeSlots(1, work, never)
  admission.drain()
  const waiting = start(admission).takeSlots(1, work, never)
  const receiving = admission.enter(holder)
  const [ended, refused] = await Promise.allSettled([admission.close(1), waiting])
  expect(ended).toMatchObject({ value: false })
  expect(refused).toMatchObject({ reason: { code: 'shutting_down' } })
  expect(() => receiving.start()).toThrow(expect.objectContaining({ code: 'shutting_down' }))
})

test('a request for many slots starts with those that are free, and gets more while nothing waits', async () => {
  const admission = new Admission({ slots: 4 })
  const [one, many, late] = [start(admission), start(admission), start(admission)]
  await one.takeSlots(1, work, never)
  await many.takeSlots(4, work, never)
  expect(many.slots).toBe(3)
  const waiting = late.takeSlots(1, work, never)
  one.leave()
  await waiting
  expect([many.slots, late.slots, admission.waiting]).toEqual([3, 1, 0])
  late.leave()
  expect([many.slots, admission.running]).toEqual([4, 4])
  many.leave()
  expect(admission.running).toBe(0)
})

test('requests for many slots share them, and release slots early', async () => {
  const admission = new Admission({ slots: 4 })
  const [first, second, third] = [start(admission), start(admission), start(admission)]
  await first.takeSlots(4, work, never)
  const turns = [second.takeSlots(4, work, never), third.takeSlots(2, work, never)]
  first.keepSlots(1)
  await turns[0]
  expect([second.slots, admission.running, admission.waiting]).toEqual([3, 4, 1])
  first.keepSlots(0)
  await turns[1]
  expect([third.slots, admission.running, admission.waiting]).toEqual([1, 4, 0])
  second.keepSlots(2)
  expect([second.slots, third.slots, admission.running]).toEqual([2, 2, 4])
  // One choice of the second is left, so it needs no further slot.
  second.keepSlots(1)
  expect([second.slots, third.slots, admission.running]).toEqual([1, 2, 3])
  for (const place of [first, second, third]) place.leave()
  expect([admission.running, admission.waiting]).toEqual([0, 0])
})

test('a request for more slots than exist gets all of them', async () => {
  const admission = new Admission({ slots: 2 })
  const place = start(admission)
  await place.takeSlots(4, work, never)
  expect(admission.running).toBe(2)
  place.keepSlots(3)
  expect(admission.running).toBe(2)
  place.leave()
  expect(admission.running).toBe(0)
})

test('when a request leaves the queue, the next one is served', async () => {
  const admission = new Admission({ slots: 2 })
  const [running, many, small] = [start(admission), start(admission), start(admission)]
  await running.takeSlots(2, work, never)
  const gone = new AbortController()
  const refused = many.takeSlots(2, work, gone.signal)
  const served = small.takeSlots(1, work, never)
  gone.abort(new Error('gone'))
  await expect(refused).rejects.toThrow('gone')
  running.keepSlots(1)
  await served
  expect(admission.running).toBe(2)
})

test('the predicted wait is 0 while a slot is free, and grows with the queue', async () => {
  let nowMs = 0
  const admission = new Admission({ slots: 2, now: () => nowMs })
  for (let i = 0; i < 100; i += 1) {
    const place = start(admission)
    await place.takeSlots(1, work, never)
    place.noteTokens(1)
    nowMs += 400
    place.leave()
  }
  const asking = admission.enter(holder)
  expect(asking.waitMs()).toBe(0)
  await start(admission).takeSlots(2, work, never)
  // Both slots stay held for 400 ms.
  expect(asking.waitMs()).toBe(400)
  const gone = new AbortController()
  const waiting = start(admission).takeSlots(2, work, gone.signal)
  expect(asking.waitMs()).toBe(800)
  nowMs += 100
  expect(asking.waitMs()).toBe(700)
  gone.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  expect(asking.waitMs()).toBe(300)
})

test('a wall clock that jumps changes no predicted wait (F23, T54)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const admission = new Admission({ slots: 1 })
    const first = start(admission)
    await first.takeSlots(1, work, never)
    vi.setSystemTime(Date.now() + 3_600_000)
    first.leave()
    await start(admission).takeSlots(1, work, never)
    expect(admission.enter(holder).waitMs()).toBeLessThanOrEqual(1000)
  } finally {
    vi.useRealTimers()
  }
})

describe('no caller takes everything', () => {
  const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((accountId) => ({
    accountId,
    keyId: 'key',
  })) as [typeof holder, typeof holder, typeof holder]
  const aliceToo = { ...alice, keyId: 'other key' }

  /** Requests slots in the given order. Returns the names in the order in which they got their slots. */
  async function turns(slots: number, asked: [string, typeof holder, number][]) {
    const admission = new Admission({ slots })
    const blocker = start(admission, carol)
    await blocker.takeSlots(slots, work, never)
    const order: string[] = []
    const ends = asked.map(async ([name, by, wanted]) => {
      const place = start(admission, by)
      await place.takeSlots(wanted, work, never)
      order.push(name)
      place.leave()
    })
    blocker.leave()
    await Promise.all(ends)
    expect([admission.running, admission.waiting]).toEqual([0, 0])
    return order.join(' ')
  }

  test('accounts take turns, and requests of one key stay in order (F13, T51)', async () => {
    const asked: [string, typeof holder, number][] = [
      ['a1', alice, 1],
      ['a2', alice, 1],
      ['a3', alice, 1],
      ['b1', bob, 1],
      ['b2', bob, 1],
    ]
    expect(await turns(1, asked)).toBe('a1 b1 a2 b2 a3')
  })

  test('keys of one account take turns among themselves (F13, T51)', async () => {
    const asked: [string, typeof holder, number][] = [
      ['a1', alice, 1],
      ['a2', alice, 1],
      ['A1', aliceToo, 1],
      ['A2', aliceToo, 1],
      ['b1', bob, 1],
      ['b2', bob, 1],
    ]
    expect(await turns(1, asked)).toBe('a1 b1 A1 b2 a2 A2')
  })

  test('a caller that was idle has saved nothing up (F13, T51)', async () => {
    const admission = new Admission({ slots: 2 })
    // Bob's request keeps the queue from becoming empty.
    await start(admission, bob).takeSlots(1, work, never)
    for (let i = 0; i < 50; i += 1) {
      const place = start(admission, alice)
      await place.takeSlots(1, work, never)
      place.leave()
    }
    const last = start(admission, alice)
    await last.takeSlots(1, work, never)
    const order: string[] = []
    const asked: [string, typeof holder][] = [
      ['c1', carol],
      ['c2', carol],
      ['c3', carol],
      ['a1', alice],
    ]
    const ends = asked.map(async ([name, by]) => {
      const place = start(admission, by)
      await place.takeSlots(1, work, never)
      order.push(name)
      place.leave()
    })
    last.leave()
    await Promise.all(ends)
    expect(order).toEqual(['c1', 'c2', 'a1', 'c3'])
  })

  test('a key and an account have their shares of the places (T43, T51)', () => {
    const options = { queueMax: 3, queueOfAccountMax: 2, queueOfKeyMax: 1 }
    const admission = new Admission({ slots: 1, ...options })
    const refusal = (by: typeof holder) => {
      try {
        admission.enter(by)
        return undefined
      } catch (error) {
        return error instanceof ServiceError ? `${error.code}: ${error.message}` : error
      }
    }
    expect([refusal(alice), refusal(alice)]).toEqual([undefined, undefined])
    expect(refusal(alice)).toMatch(
      /^rate_limit_exceeded: Limit reached for this API key: 2 running/,
    )
    expect(refusal(aliceToo)).toBeUndefined()
    expect(refusal(aliceToo)).toMatch(
      /^rate_limit_exceeded: Limit reached for this account: 3 running/,
    )
    expect(refusal(bob)).toBeUndefined()
    expect(refusal(bob)).toMatch(/^overloaded/)
  })

  test('closing does not wait for a body that may never come (T49)', async () => {
    const admission = new Admission({ slots: 1 })
    const place = admission.enter(alice)
    expect(await admission.close(10_000)).toBe(true)
    expect(() => place.start()).toThrow(expect.objectContaining({ code: 'shutting_down' }))
    place.leaveUnstarted()
    expect(admission.waiting).toBe(0)
  })
})

test('a request whose bytes find no room is told when to retry', () => {
  const admission = new Admission({ slots: 1 })
  const place = admission.enter(holder)
  const refusal = { code: 'rate_limit_exceeded', retryAfterMs: expect.any(Number) as number }
  const takeBody = () => place.addBodyBytes(bodyBytesOfPlace + bodyBytesOfKeyMax + 1)
  expect(takeBody).toThrow(expect.objectContaining({ ...refusal, dropReason: 'body_bytes' }))
  place.start()
  const takeLogprobs = () => place.takeLogprobBytes(logprobBytesOfKeyMax + 1)
  expect(takeLogprobs).toThrow(expect.objectContaining({ ...refusal, dropReason: 'logprob_bytes' }))
})

test('a listener for the end of a place is called once, even if it is added after the end', () => {
  const admission = new Admission({ slots: 1 })
  const listener = vi.fn<() => void>()
  const place = start(admission)
  place.onLeave(listener)
  expect(listener).not.toHaveBeenCalled()
  place.leave()
  place.leave()
  const gone = admission.enter(holder)
  gone.leaveUnstarted()
  gone.onLeave(listener)
  expect(listener).toHaveBeenCalledTimes(2)
})

test('the time that the caller allows runs from the arrival of the request', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const place = new Admission({ slots: 1 }).enter(holder)
    expect(place.leftMs).toBe(Infinity)
    vi.advanceTimersByTime(300)
    place.expect({ timeoutMs: 1_000 })
    expect(place.leftMs).toBe(700)
    vi.advanceTimersByTime(800)
    expect(place.leftMs).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
