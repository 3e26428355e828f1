import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { spread } from '../../../src/http/reply/retry-headers.ts'
import { recordFinding } from '../../support/reliability.ts'
import { type Attempt, nowMs, SimulatedLoad, sleep } from './simulated-load.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const slots = 8
/** Replies per second that the engine can serve; each takes 4 s. */
const capacity = slots / 4

/** Returns the replies per second that ended between the two times, as a share of the capacity. */
function goodput({ attempts }: SimulatedLoad, fromMs: number, toMs: number): number {
  const served = attempts.filter(
    ({ end, endMs }) => end === 'served' && endMs >= fromMs && endMs < toMs,
  )
  return (1000 * served.length) / (toMs - fromMs) / capacity
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * values.length)] ?? 0
}

const isOf = (end: Attempt['end']) => (attempt: Attempt) => attempt.end === end
const tookMs = ({ sentMs, endMs }: Attempt) => endMs - sentMs

/** Returns the ms from the drop in load to the last client that was not served. */
function recoveryMs({ attempts }: SimulatedLoad, droppedMs: number): number {
  const unserved = attempts.filter(({ end, sentMs }) => end !== 'served' && sentMs >= droppedMs)
  return Math.max(0, ...unserved.map(({ sentMs }) => sentMs - droppedMs))
}

test('at ten times the load for ten minutes, the engine serves as much as it can, and refusals come at once (F04)', async () => {
  const load = new SimulatedLoad({ slots, patienceMs: 30_000, seed: 1 })
  const client = () => load.attempt(`key-${Math.floor(6 * load.random())}`)
  await load.run(1.5 * capacity, 900_000, client)
  const peak = goodput(load, 60_000, nowMs())
  const fromMs = nowMs()
  await load.run(10 * capacity, 600_000, client)
  const droppedMs = nowMs()
  await load.run(0.7 * capacity, 300_000, client)

  const overloaded = load.attempts.filter(({ sentMs }) => sentMs >= fromMs && sentMs < droppedMs)
  // On a simulated clock, code takes no time: a refusal takes as long as its request waited in the queue.
  const refusedWaitP99Ms = percentile(overloaded.filter(isOf('refused')).map(tookMs), 0.99)
  const kept = goodput(load, fromMs, droppedMs) / peak
  const recoveredMs = recoveryMs(load, droppedMs)
  const waitP50Ms = percentile(
    overloaded.flatMap(({ waitedMs }) => waitedMs ?? []),
    0.5,
  )
  expect(kept).toBeGreaterThanOrEqual(0.95)
  expect(refusedWaitP99Ms).toBeLessThanOrEqual(50)
  expect(recoveredMs).toBeLessThanOrEqual(30_000)
  // A reply takes four seconds, and a request may wait for at most thirty.
  expect(waitP50Ms).toBeLessThan(8_000)
  expect(overloaded.filter(isOf('gaveUp')).length).toBeLessThan(0.01 * overloaded.length)
  const seen =
    `${overloaded.length} requests in 10 minutes at 10×: goodput ${(100 * kept).toFixed(0)} % of the peak, ` +
    `refused requests waited ${refusedWaitP99Ms.toFixed(0)} ms in the queue (p99), served ones ${(waitP50Ms / 1000).toFixed(1)} s (p50), ` +
    `recovered ${(recoveredMs / 1000).toFixed(1)} s after the load dropped.`
  recordFinding('F04', `Simulated clock, real admission, ${seen}`)
  recordFinding(
    'G2',
    `Only admission, on a simulated clock; HTTP, the ledger, a real engine and the time of a refusal are **not measured** by this: ${seen}`,
  )
})

test('clients that ignore Retry-After and try three times more do not lower what is served (F20)', async () => {
  const load = new SimulatedLoad({ slots, patienceMs: 30_000, seed: 2 })
  const stubborn = async () => {
    for (let tries = 0; tries < 4; tries += 1) {
      const { end } = await load.attempt(`key-${Math.floor(6 * load.random())}`)
      if (end === 'served') return
      await sleep(200 + 300 * load.random())
    }
  }
  await load.run(capacity, 120_000, stubborn)
  const fromMs = nowMs()
  await load.run(3 * capacity, 300_000, stubborn)
  const droppedMs = nowMs()
  await load.run(0.7 * capacity, 120_000, stubborn)
  const kept = goodput(load, fromMs, droppedMs)
  const recoveredMs = recoveryMs(load, droppedMs)
  const sent = load.attempts.filter(({ sentMs }) => sentMs >= fromMs && sentMs < droppedMs).length
  expect(kept).toBeGreaterThanOrEqual(0.8)
  expect(recoveredMs).toBeLessThanOrEqual(30_000)
  recordFinding(
    'F20',
    `Clients at 3× that retry three times at once became ${(sent / 300 / capacity).toFixed(1)}×: goodput ${(100 * kept).toFixed(0)} % ` +
      `of the capacity, recovered ${(recoveredMs / 1000).toFixed(1)} s after they stopped.`,
  )
})

test('a thousand refused clients that obey Retry-After come back spread out, and are served (F21)', async () => {
  const load = new SimulatedLoad({ slots: 16, patienceMs: 60_000, seed: 3, meanReplyMs: 500 })
  const client = () => load.attempt(`key-${Math.floor(6 * load.random())}`)
  // The engine can serve 32 replies per second. A first, lighter load lets the service measure that speed. Then all
  // requests come at once.
  await load.run(20, 30_000, client)
  const returns: Attempt[] = []
  let refused = 0
  const obedient = async (index: number) => {
    const first = await load.attempt(`key-${index % 6}`, `acct-${index % 3}`)
    if (first.end !== 'refused') return
    refused += 1
    await sleep(spread(first.retryAfterMs, load.random()))
    returns.push(await load.attempt(`key-${index % 6}`, `acct-${index % 3}`))
  }
  for (let index = 0; index < 2_200 && refused < 1_000; index += 1) {
    void obedient(index)
    await vi.advanceTimersByTimeAsync(0)
  }
  expect(refused).toBe(1_000)
  await vi.advanceTimersByTimeAsync(130_000)
  expect(returns.length).toBe(1_000)
  const admitted = returns.filter(({ end }) => end !== 'refused').length
  const bins = new Map<number, number>()
  for (const { sentMs } of returns) {
    const second = Math.floor(sentMs / 1000)
    bins.set(second, (bins.get(second) ?? 0) + 1)
  }
  const seconds = Math.max(...bins.keys()) - Math.min(...bins.keys()) + 1
  const most = Math.max(...bins.values())
  expect(most).toBeLessThanOrEqual((3 * 1_000) / seconds)
  expect(admitted).toBeGreaterThanOrEqual(800)
  recordFinding(
    'F21',
    `1,000 refused clients came back over ${seconds} s, at most ${most} in a second (mean ${(1_000 / seconds).toFixed(0)}); ${admitted} were admitted.`,
  )
})

/** Keys of three accounts and their shares of the load, as in `bench overload`. */
const shares = [0.4, 0.2, 0.2, 0.1, 0.05, 0.05]

test('a key that loses its turns to other accounts sees its wait predicted, and is not left to wait in vain', async () => {
  const load = new SimulatedLoad({ slots, patienceMs: 60_000, seed: 7, meanReplyMs: 280 })
  const capacityPerSecond = slots / 0.28
  const predictions: { predictedMs: number; waitedMs: number }[] = []
  const client = async () => {
    let draw = load.random()
    const index = shares.findIndex((share) => (draw -= share) < 0)
    const holder = { accountId: `acct-${index % 3}`, keyId: `key-${index}` }
    const place = load.admission.enter(holder)
    place.start()
    const predictedMs = place.waitMs()
    place.leave()
    const { waitedMs } = await load.attempt(holder.keyId, holder.accountId)
    if (index === 0 && waitedMs !== undefined) predictions.push({ predictedMs, waitedMs })
  }
  await load.run(capacityPerSecond, 30_000, client)
  predictions.length = 0
  // The other accounts keep below their shares, so the large key gets what they leave, and its wait grows.
  await load.run(1.1 * capacityPerSecond, 60_000, client)
  const late = predictions.slice(predictions.length / 2)
  const predictedP50Ms = percentile(
    late.map(({ predictedMs }) => predictedMs),
    0.5,
  )
  const waitedP50Ms = percentile(
    late.map(({ waitedMs }) => waitedMs),
    0.5,
  )
  // Now the others take their shares, and the large key gets half of what it got.
  await load.run(2 * capacityPerSecond, 60_000, client)
  await vi.advanceTimersByTimeAsync(60_000)
  const reasons = load.attempts.map(({ dropReason }) => dropReason)
  expect(reasons.filter((reason) => reason === 'queue_timeout')).toHaveLength(0)
  expect(predictedP50Ms / waitedP50Ms).toBeGreaterThan(0.7)
  expect(predictedP50Ms / waitedP50Ms).toBeLessThan(1.5)
})
