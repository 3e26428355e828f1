import { expect, test } from 'vitest'
import type { PanelLive } from '../../../../src/protocol/panel-live.ts'
import { addSample, type Sample, toLine } from './speed-history.ts'

const live = (speed: number): PanelLive => ({
  engine: {
    state: 'ready',
    slots: 4,
    running: 1,
    prompt_tokens_per_second: 0,
    completion_tokens_per_second: speed,
    cached_token_share: null,
    speculative_tokens: 0,
    restarts: 0,
  },
  queue: { waiting: 0, max: 256 },
  service: { version: '0', started_ms: 0, ledger_healthy: true, accepting: true },
  model: {
    id: 'svc-o1-mini',
    description: '',
    context_tokens: 2048,
    completion_tokens_max: 2048,
    fingerprint: 'fp_1',
    slots: 4,
    device: null,
  },
})

test('the history keeps the latest 60 samples without duplicates', () => {
  let history: readonly Sample[] = []
  for (let atMs = 1; atMs <= 65; atMs++) history = addSample(history, live(atMs), atMs)
  expect(history).toHaveLength(60)
  expect(history.at(-1)).toEqual({
    atMs: 65,
    promptPerSecond: 0,
    completionPerSecond: 65,
  })
  expect(addSample(history, live(9), 65)).toBe(history)
})

test('the history drops what is older than the two minutes that it shows', () => {
  const before = addSample(addSample([], live(1), 1_000), live(2), 60_000)
  expect(addSample(before, live(3), 121_000).map(({ atMs }) => atMs)).toEqual([60_000, 121_000])
  expect(addSample(before, live(3), 3_600_000)).toHaveLength(1)
})

/** The samples of these seconds and speeds. */
const samples = (...all: readonly [second: number, speed: number][]): readonly Sample[] =>
  all.map(([second, speed]) => ({
    atMs: 1_000_000 + second * 1000,
    promptPerSecond: 0,
    completionPerSecond: speed,
  }))
const lineOf = (...all: readonly [second: number, speed: number][]) =>
  toLine(samples(...all), 'completionPerSecond')

test('the line ends at the right edge, with its highest value at the top', () => {
  expect(lineOf([0, 5])).toBeUndefined()
  expect(lineOf([0, 0], [2, 20], [4, 10])).toBe('M96.67,100.00 L98.33,0.00 L100.00,50.00')
  expect(lineOf([0, 0], [2, 0])).toBe('M98.33,100.00 L100.00,100.00')
})

test('each sample is drawn at its time, and a pause interrupts the line', () => {
  expect(lineOf([0, 10], [2, 10], [5, 10])).toBe('M95.83,0.00 L97.50,0.00 L100.00,0.00')
  expect(lineOf([0, 10], [3, 10], [57, 10], [60, 10])).toBe(
    'M50.00,0.00 L52.50,0.00 M97.50,0.00 L100.00,0.00',
  )
})

test('the history drops samples that a clock set back has made later than the latest one', () => {
  const before = addSample(addSample([], live(1), 60_000), live(2), 62_000)
  expect(addSample(before, live(3), 61_000).map(({ atMs }) => atMs)).toEqual([60_000, 61_000])
})
