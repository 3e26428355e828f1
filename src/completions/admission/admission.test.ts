import { expect, test } from 'vitest'
import { Admission } from './admission.ts'

const never = new AbortController().signal

test('no more callers hold a slot than there are slots, and they follow in order of arrival', async () => {
  const admission = new Admission({ slots: 2 })
  const order: number[] = []
  const places = [0, 1, 2, 3].map(() => admission.enter())
  const turns = places.map(async (place, i) => {
    await place.takeSlots(1, never)
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

test('a full queue refuses at once, with a time to retry', () => {
  const admission = new Admission({ slots: 1, queueMax: 1 })
  admission.enter()
  admission.enter()
  expect(() => admission.enter()).toThrow(
    expect.objectContaining({ code: 'overloaded', retryAfterMs: expect.any(Number) }),
  )
})

test('a request that waits too long is refused, and its place is free again', async () => {
  const admission = new Admission({ slots: 1, queueMax: 1, waitMaxMs: 1 })
  const first = admission.enter()
  await first.takeSlots(1, never)
  const second = admission.enter()
  await expect(second.takeSlots(1, never)).rejects.toMatchObject({ code: 'overloaded' })
  second.leave()
  expect([admission.running, admission.waiting]).toEqual([1, 0])
})

test('a request that left the queue gets no slot later', async () => {
  const admission = new Admission({ slots: 1 })
  const first = admission.enter()
  await first.takeSlots(1, never)
  const gone = new AbortController()
  const second = admission.enter()
  const waiting = second.takeSlots(1, gone.signal)
  gone.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  second.leave()
  first.leave()
  expect([admission.running, admission.waiting]).toEqual([0, 0])
})

test('leaving twice counts once', async () => {
  const admission = new Admission({ slots: 1 })
  const place = admission.enter()
  await place.takeSlots(1, never)
  place.leave()
  place.leave()
  expect([admission.running, admission.waiting]).toEqual([0, 0])
})

test('closing refuses the waiting and newcomers, and waits for the running', async () => {
  const admission = new Admission({ slots: 1 })
  const running = admission.enter()
  await running.takeSlots(1, never)
  const waiter = admission.enter()
  const waiting = waiter.takeSlots(1, never)
  const closed = admission.close(10_000)
  await expect(waiting).rejects.toMatchObject({ code: 'shutting_down' })
  waiter.leave()
  expect(() => admission.enter()).toThrow(expect.objectContaining({ code: 'shutting_down' }))
  running.leave()
  expect(await closed).toBe(true)
})

test('closing does not wait for a generation beyond the grace period', async () => {
  const admission = new Admission({ slots: 1 })
  await admission.enter().takeSlots(1, never)
  expect(await admission.close(1)).toBe(false)
})

test('a request for many slots gets all of them at once, and is not overtaken', async () => {
  const admission = new Admission({ slots: 4 })
  const order: string[] = []
  const take = async (name: string, slots: number) => {
    const place = admission.enter()
    await place.takeSlots(slots, never)
    order.push(name)
    return place
  }
  const one = await take('one', 1)
  const many = take('many', 4)
  const late = take('late', 1)
  await Promise.resolve()
  expect([admission.running, admission.waiting]).toEqual([1, 2])
  one.leave()
  ;(await many).leave()
  ;(await late).leave()
  expect(order).toEqual(['one', 'many', 'late'])
  expect([admission.running, admission.waiting]).toEqual([0, 0])
})

test('two requests for all slots run one after the other, and release slots early', async () => {
  const admission = new Admission({ slots: 4 })
  const [first, second, third] = [admission.enter(), admission.enter(), admission.enter()]
  await first.takeSlots(4, never)
  const turns = [second.takeSlots(4, never), third.takeSlots(2, never)]
  first.keepSlots(1)
  expect([admission.running, admission.waiting]).toEqual([1, 2])
  first.keepSlots(0)
  await turns[0]
  expect([admission.running, admission.waiting]).toEqual([4, 1])
  second.keepSlots(2)
  await turns[1]
  expect([admission.running, admission.waiting]).toEqual([4, 0])
  for (const place of [first, second, third]) place.leave()
  expect([admission.running, admission.waiting]).toEqual([0, 0])
})

test('a request for more slots than exist gets all of them', async () => {
  const admission = new Admission({ slots: 2 })
  const place = admission.enter()
  await place.takeSlots(4, never)
  expect(admission.running).toBe(2)
  place.keepSlots(3)
  expect(admission.running).toBe(2)
  place.leave()
  expect(admission.running).toBe(0)
})

test('when a request leaves the queue, the next one is served', async () => {
  const admission = new Admission({ slots: 2 })
  const [running, many, small] = [admission.enter(), admission.enter(), admission.enter()]
  await running.takeSlots(1, never)
  const gone = new AbortController()
  const refused = many.takeSlots(2, gone.signal)
  const served = small.takeSlots(1, never)
  gone.abort(new Error('gone'))
  await expect(refused).rejects.toThrow('gone')
  await served
  expect(admission.running).toBe(2)
})

test('the predicted wait is 0 while a slot is free, and grows with the queue', async () => {
  let nowMs = 0
  const admission = new Admission({ slots: 2, now: () => nowMs })
  for (let i = 0; i < 100; i += 1) {
    const place = admission.enter()
    await place.takeSlots(1, never)
    nowMs += 400
    place.leave()
  }
  expect([admission.waitMs(), admission.waitMs(2)]).toEqual([0, 0])
  await admission.enter().takeSlots(2, never)
  expect([admission.waitMs(), admission.waitMs(2)]).toEqual([200, 400])
  const gone = new AbortController()
  const waiting = admission.enter().takeSlots(2, gone.signal)
  expect(admission.waitMs()).toBe(600)
  gone.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  expect(admission.waitMs()).toBe(200)
})
