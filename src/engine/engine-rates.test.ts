import { expect, test } from 'vitest'
import { EngineRateMeter } from './engine-rates.ts'
import type { EngineStats } from './engine.ts'

test('rates cover the last seconds, however long ago the meter was read before', () => {
  let nowMs = 0
  let stats: EngineStats = {
    slotsBusy: 0,
    restarts: 0,
    steps: 0,
    promptTokens: 0,
    completionTokens: 0,
    speculativeTokens: 0,
    cachedTokens: 0,
  }
  const rates = new EngineRateMeter(
    () => stats,
    () => nowMs,
  )
  const none = { promptTokensPerSecond: 0, completionTokensPerSecond: 0 }
  expect(rates.read()).toMatchObject(none)
  nowMs = 2_000
  stats = { ...stats, promptTokens: 300, cachedTokens: 100, completionTokens: 50 }
  expect(rates.read()).toEqual({
    promptTokensPerSecond: 150,
    completionTokensPerSecond: 25,
    cachedTokenShare: 0.25,
  })
  nowMs = 3_600_000
  stats = { ...stats, promptTokens: 90_000, completionTokens: 70_000 }
  expect(rates.read()).toMatchObject(none)
})
