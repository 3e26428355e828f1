import { expect, test } from 'vitest'
import { judge } from './judge.ts'
import type { Observation } from './observation.ts'
import { passedPerMinute, type Use } from './overspend.ts'
import { planAttack, requireConsent } from './plan.ts'
import type { Source } from './reported.ts'

const second = 1000
/** Returns `count` uses of 1, spread evenly over a time. */
const uses = (count: number, fromMs: number, toMs: number): Use[] =>
  Array.from({ length: count }, (_, index) => {
    const ms = fromMs + ((toMs - fromMs) * index) / count
    return { fromMs: ms, toMs: ms + 1, amount: 1 }
  })

test('what a token bucket, a window of the clock or a window that a request opens allows is no overspend', () => {
  const bucket = [...uses(60, 0, second), ...uses(60, second, 61 * second)]
  expect(passedPerMinute(60, bucket, 0)).toMatchObject({ overspend: 0 })
  const clock = [...uses(60, 58 * second, 59 * second), ...uses(60, 60 * second, 61 * second)]
  expect(passedPerMinute(60, clock, 0)).toEqual({ most: 120, overspend: 0 })
  const opened = [...uses(60, 0, second), ...uses(60, 75 * second, 76 * second)]
  expect(passedPerMinute(60, opened, 0)).toMatchObject({ overspend: 0 })
})

test('a limit that each of three replicas counts alone is an overspend of two limits', () => {
  expect(passedPerMinute(60, uses(180, 0, second), 0).overspend).toBe(119)
  expect(passedPerMinute(60, uses(61, 0, second), 0).overspend).toBe(0)
})

const common: Observation = {
  url: 'http://a',
  phase: 'burst',
  sentMs: 0,
  firstMs: undefined,
  lastMs: undefined,
  endMs: 10,
  ending: 'whole',
  status: 200,
  requestId: undefined,
  replyId: undefined,
  isReplay: false,
  idempotencyKey: undefined,
  isStream: false,
  maxTokens: 10,
  usage: { prompt: 10, completion: 10 },
  deltas: 0,
  error: undefined,
}
const reply = (id: number, part: Partial<Observation> = {}): Observation => ({
  ...common,
  sentMs: id * 20,
  endMs: id * 20 + 10,
  requestId: `req_${id}`,
  replyId: `chatcmpl-${id}`,
  ...part,
})
const refusal = (id: number, part: Partial<Observation> = {}) =>
  reply(id, { status: 429, ending: 'refused', usage: undefined, ...part })

function find(
  seen: Observation[],
  limits: Parameters<typeof planAttack>[0]['limits'],
  totals?: Map<string, number>,
  before: Source['before'] = new Map(),
) {
  const source: Source = {
    name: 'pipit',
    limits: {},
    before,
    read: () => Promise.resolve(totals),
    idsOf: ({ requestId }) => [requestId],
  }
  return judge({
    stated: planAttack({ urls: ['http://a'], limits }).stated,
    seen,
    promptBytes: 40,
    // Noon in UTC.
    epochMs: 43_200_000,
    marginAt: () => 50,
    source: totals && source,
    totals,
  })
}

test('a refusal counts as wrong only if every stated limit had room for all that the request may use', () => {
  const wrong = (seen: Observation[], limits: object) => find(seen, limits).wrongRefusals.count
  expect(wrong([reply(0), refusal(1)], { tokensPerDay: 40 })).toBe(1)
  expect(wrong([reply(0), refusal(1)], { tokensPerDay: 39 })).toBe(0)
  expect(wrong([reply(0), refusal(1)], { tokensPerDay: 40, requestsPerMinute: 1 })).toBe(0)
  // The first request is still running, and all of its max_tokens may still be reserved.
  const running = reply(0, { endMs: 1000, usage: { prompt: 10, completion: 1 } })
  expect(wrong([running, refusal(1)], { tokensPerDay: 39 })).toBe(0)
  // A minute later, the first request no longer counts.
  expect(wrong([reply(0), refusal(3002)], { requestsPerMinute: 1 })).toBe(1)
  expect(wrong([reply(0), refusal(3000)], { requestsPerMinute: 1 })).toBe(0)
  // The gateway may count a cut stream as running for some seconds longer.
  const cut = reply(0, { ending: 'cut' })
  expect(wrong([cut, refusal(2)], { parallelRequests: 1 })).toBe(0)
  expect(wrong([cut, refusal(600)], { parallelRequests: 1 })).toBe(1)
})

test('an overspend needs certain use before the attack; possible use is enough for a refusal', () => {
  const findings = (least: number, most: number) => {
    const before = new Map([['tokensPerDay', { least, most }] as const])
    return find([reply(0), refusal(1)], { tokensPerDay: 100 }, new Map(), before)
  }
  expect(findings(80, 90)).toMatchObject({
    limits: [{ overspend: 0 }],
    wrongRefusals: { count: 0 },
  })
  expect(findings(81, 81)).toMatchObject({ limits: [{ overspend: 1 }] })
  expect(findings(0, 60)).toMatchObject({ wrongRefusals: { count: 1 } })
})

test('replies that have no record, or too small a one, are lost usage; a replay is not', () => {
  const seen = [
    reply(0),
    reply(1),
    reply(2, { ending: 'cut', usage: undefined, deltas: 3, isStream: true }),
    reply(3, { isReplay: true }),
    refusal(4),
  ]
  const records = (cut: number) => new Map(Object.entries({ req_0: 20, req_2: cut }))
  expect(find(seen, { tokensPerDay: 60 }, records(12)).lostUsage).toEqual({
    replies: [
      { id: 'req_1', phase: 'burst', delivered: 20, recorded: undefined },
      { id: 'req_2', phase: 'burst', delivered: 13, recorded: 12 },
    ],
    tokens: 21,
    of: 3,
  })
  expect(find(seen, { tokensPerDay: 60 }, records(13)).lostUsage).toMatchObject({ tokens: 20 })
  expect(find(seen, { tokensPerDay: 60 }).lostUsage).toHaveProperty('unknown')
})

test('a limit that the attack did not reach is unknown, not kept', () => {
  const verdict = (seen: Observation[], limits: object) => find(seen, limits).limits[0]?.verdict
  expect(verdict([reply(0)], { tokensPerDay: 100 })).toBe('unknown')
  expect(verdict([reply(0), refusal(1)], { tokensPerDay: 100 })).toBe('unknown')
  expect(verdict([reply(0), refusal(1)], { tokensPerDay: 30 })).toBe('ok')
  expect(verdict([reply(0), reply(1)], { tokensPerDay: 30 })).toBe('OVERSPEND')
  expect(verdict([reply(0)], { parallelRequests: 1 })).toBe('unknown')
})

test('parallel streams whose overlap is not certain are unknown', () => {
  const stream = (id: number, lastMs: number) =>
    reply(id, { isStream: true, firstMs: id, lastMs, endMs: 1000, deltas: 5 })
  const finding = (lastMs: number) =>
    find([stream(1, lastMs), stream(2, lastMs), refusal(3)], { parallelRequests: 1 }).limits[0]
  expect(finding(500)).toMatchObject({ verdict: 'OVERSPEND', most: 2, overspend: 1 })
  expect(finding(51)).toMatchObject({
    verdict: 'unknown',
    reason: expect.stringContaining('too short'),
  })
  expect(finding(52)).toMatchObject({
    reason: 'from 1 to 2 ran at once; the replies are too short to tell',
  })
})

test('an attack that may spend much needs consent, and one without a limit is refused', () => {
  expect(() => planAttack({ urls: ['http://a'], limits: {} })).toThrow('State at least one limit')
  const plan = planAttack({ urls: ['http://a'], limits: { tokensPerDay: 1_000_000 } })
  expect(() => requireConsent(plan, false)).toThrow('Add --yes')
  expect(() => requireConsent(plan, true)).not.toThrow()
})
