import { expect, test } from 'vitest'
import { describeFailures, runCampaign } from './campaign.ts'

const first = Date.now() % 2 ** 30

test('whatever goes wrong, each request ends once and the ledger is right: 10,000 random schedules (I1, I2, I3, I4, I5, I6, F02, F22, F23, F47)', async () => {
  const startMs = performance.now()
  const result = await runCampaign({ from: first, to: first + 10_000 })
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0)
  const { failures: _failures, ...counts } = result
  console.log(`SIM_SEED from ${first}, ${seconds} s:`, counts)
  expect(await describeFailures(result)).toBe('')
  expect(result.schedules).toBe(10_000)
}, 900_000)
