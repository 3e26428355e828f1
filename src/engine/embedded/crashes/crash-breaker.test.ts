import { expect, test } from 'vitest'
import { CrashBreaker } from './crash-breaker.ts'

test('five crashes in five minutes refuse new requests for 30 seconds, and each further one does (F03)', () => {
  let nowMs = 0
  const breaker = new CrashBreaker(() => nowMs)
  const refusal = (): unknown => {
    try {
      breaker.requireClosed()
      return undefined
    } catch (error) {
      return error
    }
  }
  for (nowMs = 0; nowMs < 240_000; nowMs += 60_000) breaker.noteCrash()
  expect(refusal()).toBeUndefined()
  breaker.noteCrash()
  nowMs += 10_000
  expect(refusal()).toMatchObject({ code: 'model_loading', retryAfterMs: 20_000 })
  nowMs += 20_000
  expect(refusal()).toBeUndefined()
  breaker.noteCrash()
  expect(refusal()).toMatchObject({ retryAfterMs: 30_000 })
  nowMs += 240_000
  breaker.noteCrash()
  expect(refusal()).toBeUndefined()
})
