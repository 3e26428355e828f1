import { expect, test } from 'vitest'
import { Admission } from './admission.ts'

const never = new AbortController().signal

test('no more callers hold a slot than there are slots, and they follow in order of arrival', async () => {
  const admission = new Admission({ slots: 2 })
  const order: number[] = []
  const places = [0, 1, 2, 3].map(() => admission.enter())
  const turns = places.map(async (place, i) => {
    await place.takeSlot(never)
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

test('a full queue refuses at once, with a time to come back', () => {
  const admission = new Admission({ slots: 1, queueMax: 1 })
  admission.enter()
  admission.enter()
  expect(() => admission.enter()).toThrow(
    expect.objectContaining({ code: 'overloaded', retryAfterMs: expect.any(Number) }),
  )
})

test('who waits too long is refused, and the place is free again', async () => {
  const admission = new Admission({ slots: 1, queueMax: 1, waitMaxMs: 1 })
  const first = admission.enter()
  await first.takeSlot(never)
  const second = admission.enter()
  await expect(second.takeSlot(never)).rejects.toMatchObject({ code: 'overloaded' })
  second.leave()
  expect([admission.running, admission.waiting]).toEqual([1, 0])
})

test('who leaves the queue does not get a slot later', async () => {
  const admission = new Admission({ slots: 1 })
  const first = admission.enter()
  await first.takeSlot(never)
  const gone = new AbortController()
  const second = admission.enter()
  const waiting = second.takeSlot(gone.signal)
  gone.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  second.leave()
  first.leave()
  expect([admission.running, admission.waiting]).toEqual([0, 0])
})

test('leaving twice counts once', async () => {
  const admission = new Admission({ slots: 1 })
  const place = admission.enter()
  await place.takeSlot(never)
  place.leave()
  place.leave()
  expect([admission.running, admission.waiting]).toEqual([0, 0])
})

test('closing refuses the waiting and newcomers, and waits for the running', async () => {
  const admission = new Admission({ slots: 1 })
  const running = admission.enter()
  await running.takeSlot(never)
  const waiter = admission.enter()
  const waiting = waiter.takeSlot(never)
  const closed = admission.close(10_000)
  await expect(waiting).rejects.toMatchObject({ code: 'shutting_down' })
  waiter.leave()
  expect(() => admission.enter()).toThrow(expect.objectContaining({ code: 'shutting_down' }))
  running.leave()
  expect(await closed).toBe(true)
})

test('closing gives up on a generation that outlasts the grace period', async () => {
  const admission = new Admission({ slots: 1 })
  await admission.enter().takeSlot(never)
  expect(await admission.close(1)).toBe(false)
})
