import { expect, test } from 'vitest'
import { climbTable } from './climb-table.ts'
import { firstTokensMs, measureSteps } from './measure-steps.ts'
import type { Outcome } from './send-request.ts'

const patienceMs = 30_000
const whole: Outcome = {
  intendedMs: 0,
  sentMs: 0,
  firstMs: 100,
  endMs: 200,
  ending: 'whole',
  status: 200,
  requestId: 'req_1',
  retryAfterMs: 0,
  promptTokens: 1,
  completionTokens: 1,
  isStream: true,
}
const abandoned: Outcome = { ...whole, ending: 'abandoned', endMs: patienceMs, firstMs: undefined }

test('the first token of a stream that its client gave up counts as late as it was', () => {
  const afterFirst = { ...abandoned, firstMs: 20_000 }
  const notStreamed = { ...abandoned, isStream: false }
  const refused: Outcome = { ...whole, ending: 'refused', firstMs: undefined }
  const outcomes = [whole, abandoned, afterFirst, notStreamed, refused]
  expect(firstTokensMs(outcomes)).toEqual([100, Infinity, 20_000])
})

test('a percentile beyond the patience of the clients is printed as such', () => {
  const load = {
    outcomes: [whole, whole, whole, abandoned],
    startMs: 0,
    loopDelayP99Ms: 0,
    cpuShare: 0,
    samples: [],
  }
  const steps = measureSteps(load, [{ factor: 1, perSecond: 4, durationMs: 1000 }], () => true)
  expect(steps[0]).toMatchObject({ firstP50Ms: 100, firstP99Ms: Infinity, abandoned: 1 })
  const page = climbTable('Pipit', {
    peak: { tokensPerSecond: 3, repliesPerSecond: 3 },
    steps,
    recoveryMs: 0,
    clients: { loopDelayP99Ms: 0, cpuShare: 0 },
    patienceMs,
  })
  expect(page.split('\n').at(-1)).toContain('| 100 | > 30000 | 1 |')
})

test('the processor time of a step is that between its first and its last sample', () => {
  const samples = [
    { atMs: -500, frontMs: 0, engineMs: 0 },
    { atMs: 100, frontMs: 10, engineMs: 200 },
    { atMs: 900, frontMs: 90, engineMs: 1000 },
    { atMs: 1100, frontMs: 900, engineMs: 9000 },
  ]
  const load = { outcomes: [whole], startMs: 0, loopDelayP99Ms: 0, cpuShare: 0, samples }
  const [step] = measureSteps(load, [{ factor: 1, perSecond: 1, durationMs: 1000 }], () => true)
  expect(step?.cores).toEqual({ front: 0.1, engine: 1 })
})
