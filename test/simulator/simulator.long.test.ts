import { expect, test } from 'vitest'
import { testSeed } from '../support/random/test-seed.ts'
import { recordFinding } from '../support/reliability.ts'
import { describeFailures, runCampaign } from './campaign.ts'

test('whatever goes wrong, each request ends once and the ledger is right: 10,000 random schedules (I1, I2, I3, I4, I5, I6, F02, F22, F23, F47)', async () => {
  const startMs = performance.now()
  const result = await runCampaign({ from: testSeed, to: testSeed + 10_000 })
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0)
  const { failures: _failures, ...counts } = result
  console.log(`SIM_SEED from ${testSeed}, ${seconds} s:`, counts)
  expect(await describeFailures(result)).toBe('')
  expect(result.schedules).toBe(10_000)
  recordFinding(
    'F47',
    `10,000 random schedules (TEST_SEED=${testSeed}) took ${seconds} s; none broke a rule.`,
  )
}, 900_000)
