import { describe, expect, test, vi } from 'vitest'
import { ServiceError } from '../../errors.ts'
import type { HeldSlots } from './held-slots.ts'
import { type Asker, SlotQueue } from './slot-queue.ts'

const never = new AbortController().signal
const work = { promptTokens: 10, outputTokensMax: 100 }
const asker = (keyId = 'key', deadlineMs = Infinity): Asker => ({
  holder: { accountId: 'acct', keyId },
  endUser: '',
  deadlineMs,
})

/** Returns a queue that has served 16 requests, each of 10 tokens in one second, and the queue's own clock. */
async function measuredQueue(slots = 1) {
  const clock = { ms: 0 }
  const queue = new SlotQueue(slots, { now: () => clock.ms })
  for (let i = 0; i < 16; i += 1) {
    const held = await queue.take(asker(), 1, work, never)
    clock.ms += 100
    held.noteTokens(1)
    clock.ms += 900
    held.noteTokens(9)
    held.release()
  }
  return { queue, clock }
}

function refusalOf(act: () => unknown): ServiceError | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

/** Returns `ask`, which waits for a slot and records the name in `granted` or the error in `refused`. */
function waiters(queue: SlotQueue) {
  const granted: string[] = []
  const startsMs: number[] = []
  const held: HeldSlots[] = []
  const refused: [string, ServiceError][] = []
  const ask = async (name: string, by = asker()) => {
    try {
      held.push(await queue.take(by, 1, work, never))
      granted.push(name)
      startsMs.push(queue.now())
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      refused.push([name, error])
    }
  }
  return { granted, startsMs, held, refused, ask }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('the wait is predicted in engine seconds', () => {
  test('from what runs and what waits before the request in its own line', async () => {
    const { queue, clock } = await measuredQueue()
    expect(queue.waitMs(asker().holder, '')).toBe(0)
    await queue.take(asker(), 1, work, never)
    // 10 of the 100 tokens are expected: 100 ms for the prompt of 10 tokens, then 10 × 100 ms.
    expect(queue.waitMs(asker().holder, '')).toBeGreaterThan(1000)
    expect(queue.waitMs(asker().holder, '')).toBeLessThan(2000)
    clock.ms += 500
    const alone = queue.waitMs(asker().holder, '')
    const { ask } = waiters(queue)
    for (let i = 0; i < 9; i += 1) void ask(`${i}`)
    const behind = queue.waitMs(asker().holder, '')
    expect(behind).toBeGreaterThan(alone + 9 * 1000)
    // Another key waits for the running request and for one waiting request.
    expect(queue.waitMs(asker('other').holder, '')).toBeLessThan(alone + 2 * 1500)
    queue.close()
  })

  test('and a request that would wait longer than the limit is refused on arrival', async () => {
    const { queue } = await measuredQueue()
    await queue.take(asker(), 1, work, never)
    const { ask, refused } = waiters(queue)
    for (let i = 0; i < 100; i += 1) void ask(`${i}`)
    await settled()
    const waiting = 100 - refused.length
    expect(waiting).toBeGreaterThan(10)
    expect(waiting).toBeLessThan(31)
    expect(refused[0]?.[1]).toMatchObject({ code: 'overloaded', dropReason: 'predicted_wait' })
    // After this delay the predicted wait has fallen to half of the limit, so there is room for several retries.
    expect(refused[0]?.[1].retryAfterMs).toBeGreaterThan(15_000)
    expect(refusalOf(() => queue.requireTimely(asker()))).toMatchObject({ code: 'overloaded' })
    expect(refusalOf(() => queue.requireTimely(asker('light')))).toBeUndefined()
    queue.close()
  })

  test('and not from requests whose callers have left', async () => {
    const { queue } = await measuredQueue()
    const leaving = new AbortController()
    await queue.take(asker(), 1, { ...work, outputTokensMax: 100_000 }, leaving.signal)
    const first = waiters(queue)
    await first.ask('refused')
    expect(first.refused).toMatchObject([['refused', { dropReason: 'predicted_wait' }]])
    // The engine has not yet ended the reply.
    leaving.abort()
    expect(queue.waitMs(asker().holder, '')).toBe(0)
    const { ask, granted, refused } = waiters(queue)
    void ask('waits')
    await settled()
    expect([granted, refused]).toEqual([[], []])
    queue.close()
  })

  test('but not before enough was measured', async () => {
    const queue = new SlotQueue(1, { now: () => 0 })
    await queue.take(asker(), 1, work, never)
    const { ask, refused } = waiters(queue)
    for (let i = 0; i < 100; i += 1) void ask(`${i}`)
    await settled()
    expect(refused).toEqual([])
    queue.close()
  })
})

test('a burst right after the start is not refused for costs that were only assumed', async () => {
  const clock = { ms: 0 }
  const queue = new SlotQueue(1, { now: () => clock.ms })
  const { ask, held, granted, refused } = waiters(queue)
  for (let i = 0; i < 200; i += 1) void ask(`${i}`)
  for (let i = 0; i < 50; i += 1) {
    await settled()
    clock.ms += 10
    held[i]?.noteTokens(10)
    held[i]?.release()
    void ask(`later ${i}`)
  }
  await settled()
  expect([granted.length, refused.length]).toEqual([51, 0])
  queue.close()
})

describe('a deadline of the caller', () => {
  test('that the predicted wait exceeds refuses the request on arrival', async () => {
    const { queue, clock } = await measuredQueue()
    const soon = asker('key', clock.ms + 50)
    expect(refusalOf(() => queue.requireTimely(soon))).toBeUndefined()
    await queue.take(asker(), 1, work, never)
    await expect(queue.take(soon, 1, work, never)).rejects.toMatchObject({
      code: 'overloaded',
      dropReason: 'deadline',
    })
    queue.close()
  })

  test('does not matter to a request that gets a slot at once', async () => {
    const { queue, clock } = await measuredQueue()
    const held = await queue.take(asker('key', clock.ms + 1), 1, work, never)
    held.release()
    expect(queue.busy).toBe(0)
  })

  test('that has passed refuses the request, although a slot is free', async () => {
    const { queue, clock } = await measuredQueue()
    await expect(queue.take(asker('key', clock.ms - 1), 1, work, never)).rejects.toMatchObject({
      dropReason: 'deadline',
    })
    expect(queue.busy).toBe(0)
  })

  test('ends the wait, and the slot goes to the next request', async () => {
    const { queue, clock } = await measuredQueue()
    const held = await queue.take(asker(), 1, work, never)
    const { ask, granted, refused } = waiters(queue)
    void ask('late', asker('key', clock.ms + 5000))
    void ask('patient')
    clock.ms += 6000
    held.release()
    await settled()
    expect(granted).toEqual(['patient'])
    expect(refused).toMatchObject([['late', { dropReason: 'deadline' }]])
    queue.close()
  })

  test('is noticed without any other event', async () => {
    vi.useFakeTimers()
    try {
      const queue = new SlotQueue(1)
      await queue.take(asker(), 1, work, never)
      const { ask, refused } = waiters(queue)
      void ask('late', asker('key', performance.now() + 1000))
      await vi.advanceTimersByTimeAsync(1001)
      expect(refused).toMatchObject([['late', { dropReason: 'deadline' }]])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a standing overload', () => {
  test('begins after ten seconds with refusals and shortens the wait, until ten seconds without', async () => {
    const { queue, clock } = await measuredQueue()
    const { ask, held, granted, refused } = waiters(queue)
    const running = await queue.take(asker(), 1, work, never)
    for (let i = 0; i < 100; i += 1) void ask(`${i}`)
    await settled()
    const refusedBefore = refused.length
    clock.ms += 10_001
    running.noteTokens(10)
    running.release()
    await settled()
    // The last refusal is more than ten seconds ago, so there is no overload.
    expect(granted).toEqual(['0'])
    for (let i = 0; i < 41; i += 1) void ask('one too many')
    await settled()
    expect(refused.length).toBeGreaterThan(refusedBefore)
    clock.ms += 1000
    held[0]?.noteTokens(10)
    held[0]?.release()
    await settled()
    // Now there is an overload. Accepted requests are served in their turn; new ones are refused.
    expect(granted).toEqual(['0', '1'])
    const refusedIn = refused.length
    void ask('later')
    await settled()
    expect(refused.length).toBe(refusedIn + 1)
    // After ten seconds without a refusal, the long limit applies again.
    for (let i = 1; i <= 11; i += 1) {
      clock.ms += 1000
      held[i]?.noteTokens(10)
      held[i]?.release()
      await settled()
    }
    void ask('much later')
    await settled()
    expect(refused.length).toBe(refusedIn + 1)
    queue.close()
  })

  test('does not begin without a refusal: patient clients that all get served are none', async () => {
    const { queue, clock } = await measuredQueue()
    const { ask, granted, refused } = waiters(queue)
    const running = await queue.take(asker(), 1, work, never)
    for (let i = 0; i < 10; i += 1) void ask(`${i}`)
    clock.ms += 20_000
    running.release()
    await settled()
    expect([granted, refused]).toEqual([['0'], []])
    queue.close()
  })

  test('refuses on arrival, and nothing that waits: what it accepts waits for at most two replies', async () => {
    const { queue, clock } = await measuredQueue()
    const { ask, held, granted, startsMs, refused } = waiters(queue)
    // Forty requests arrive each second, and one is served.
    for (let second = 0; second < 60; second += 1) {
      for (let i = 0; i < 40; i += 1) void ask(String(second))
      await settled()
      clock.ms += 1000
      const running = held.shift()
      running?.noteTokens(10)
      running?.release()
      await settled()
    }
    expect(granted.length).toBeGreaterThanOrEqual(59)
    const waits = granted.map((second, i) => (startsMs[i] ?? 0) / 1000 - 16 - Number(second))
    expect(Math.max(...waits)).toBeLessThanOrEqual(31)
    expect(Math.max(...waits.slice(40))).toBeLessThanOrEqual(3)
    expect(refused.every(([, { dropReason }]) => dropReason === 'predicted_wait')).toBe(true)
    queue.close()
  })
})

test('refused requests of a key are told to come back one after the other, beside other keys (F21)', async () => {
  const { queue } = await measuredQueue()
  await queue.take(asker(), 1, work, never)
  const { ask, refused } = waiters(queue)
  for (let i = 0; i < 60; i += 1) void ask(`${i}`)
  await settled()
  const returnsMs = refused.map(([, { retryAfterMs = 0 }]) => Math.round(retryAfterMs))
  const firstMs = returnsMs[0] ?? 0
  // One request is served per second, so the retries are a second apart. The longest delay is 40 seconds.
  expect(returnsMs).toEqual(returnsMs.map((_ms, i) => Math.min(firstMs + 1000 * i, 40_000)))
  expect(returnsMs.length).toBeGreaterThan(25)
  expect(returnsMs.at(-1)).toBe(40_000)
  queue.close()
})

test('a waiting request has a position that follows the fair order', async () => {
  const { queue } = await measuredQueue()
  const held = await queue.take(asker(), 1, work, never)
  expect(queue.backlogMs).toBe(0)
  const { ask } = waiters(queue)
  const [first, second] = [asker(), asker()]
  const light = asker('light')
  for (const [i, one] of [first, second, asker(), asker()].entries()) void ask(`${i}`, one)
  void ask('light', light)
  await settled()
  // The light key holds no slot and comes first.
  const positions = [light, first, second].map((one) => queue.statusOf(one)?.position)
  expect(positions).toEqual([1, 2, 3])
  const before = queue.statusOf(second)
  // The whole backlog takes longer than any one request's wait.
  expect(queue.backlogMs).toBeGreaterThan(before?.waitMs ?? Infinity)
  held.release()
  await settled()
  const after = queue.statusOf(second)
  expect(after?.waitMs).toBeLessThan(before?.waitMs ?? 0)
  expect(queue.statusOf(asker())).toBeUndefined()
  queue.close()
  expect(queue.statusOf(second)).toBeUndefined()
})
