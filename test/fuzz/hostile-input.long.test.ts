import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/paths.ts'
import { testSeed } from '../support/random/test-seed.ts'
import { recordFinding } from '../support/reliability.ts'
import { runCampaign } from './campaign.ts'
import { campaignsOf } from './campaigns.ts'
import { describeReport, faultsOfReport, findingOfReport } from './summary.ts'

// `npm run fuzz` sends a million requests, and can replay those that failed.
test.each(campaignsOf(20_000, testSeed).map((campaign) => [campaign.name, campaign] as const))(
  '20,000 hostile requests to two services neither delay a good client, nor fill the memory, nor get a 5xx: %s (T13, T15, T17, T18, T25, F12, G6)',
  async (name, campaign) => {
    const report = await runCampaign(campaign)
    console.log(describeReport(report))
    const folder = join(packageRoot, 'build/fuzz')
    mkdirSync(folder, { recursive: true })
    for (const { request } of report.findings)
      if (request !== undefined)
        writeFileSync(join(folder, `${name}-${testSeed}-${request.index}.http`), request.bytes)
    expect(faultsOfReport(report), `TEST_SEED=${testSeed}; see build/fuzz`).toEqual([])
    recordFinding('F12', findingOfReport(report))
    recordFinding('G6', findingOfReport(report))
  },
  1_200_000,
)
