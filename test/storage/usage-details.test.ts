import { fc } from '../support/random/test-seed.ts'
import { expect, test } from 'vitest'
import { queries } from '../../src/storage/statement.ts'
import { silentLogger } from '../../src/telemetry/logger.ts'
import { latencyBucketOf, quantileMs } from '../../src/usage/latency-histogram.ts'
import { Ledger, type Settlement } from '../../src/usage/ledger.ts'
import { Receipts } from '../../src/usage/receipts.ts'
import { addDetails } from '../../src/usage/times/usage-details.ts'
import { ExpiryClock } from '../../src/usage/upkeep/expiry-clock.ts'
import { Retention } from '../../src/usage/upkeep/retention.ts'
import { UsageReport } from '../../src/usage/usage-report.ts'
import { useDatabases } from '../support/databases.ts'
import { ledgerEntry } from '../support/ledger-entry.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const databases = useDatabases()

const counts = { promptTokens: 11, cachedTokens: 0, completionTokens: 5 }

test('histograms of queueing and of the first token equal a scan of the requests', async () => {
  const database = await databases.open()
  const ledger = Ledger.open(database, 'boot_1')
  const made = fc.sample(
    fc.record({
      createdMs: fc.nat(72 * hourMs),
      keyId: fc.constantFrom('key_1', 'key_2'),
      queueMs: fc.nat(20_000),
      prefillMs: fc.nat(20_000),
      decodeMs: fc.option(fc.nat(1000), { nil: undefined }),
    }),
    { numRuns: 300, seed: 11 },
  )
  for (const [i, { keyId, createdMs, ...times }] of made.entries())
    await settle(
      ledger,
      `req_${i}`,
      { keyId, createdMs },
      { outcome: 'completed', ...counts, ...times },
    )
  const report = new UsageReport(database)
  for (const keyId of ['', 'key_1', 'key_2', 'key_3']) {
    const days = await report.details('acct_1', [0, dayMs, 2 * dayMs, 3 * dayMs], keyId)
    const seen = made.filter(
      (one) => one.decodeMs !== undefined && (keyId === '' || one.keyId === keyId),
    )
    for (const [day, { queue, firstToken }] of days.entries()) {
      const ofDay = seen.filter(({ createdMs }) => Math.floor(createdMs / dayMs) === day)
      expect(queue).toEqual(histogramOf(ofDay.map((one) => one.queueMs)))
      expect(firstToken).toEqual(histogramOf(ofDay.map((one) => one.queueMs + one.prefillMs)))
    }
    const all = addDetails(days)
    expect(all.queue.reduce((sum, count) => sum + count, 0)).toBe(seen.length)
  }
  expect(await report.details('acct_2', [0, dayMs])).toEqual([addDetails([])])
})

test('refusals are told from failures, with and without a receipt', async () => {
  const database = await databases.open()
  const ledger = Ledger.open(database, 'boot_1')
  const refusal = { outcome: 'refused', error: { code: 'overloaded' }, ...counts } as const
  for (let i = 0; i < 40; i++) ledger.refuse(ledgerEntry(`req_${i}`), refusal)
  await settle(ledger, 'req_failed', {}, { ...refusal, outcome: 'engine_crash' })
  await ledger.close()
  const report = new UsageReport(database)
  expect(await report.details('acct_1', [0, hourMs])).toMatchObject([{ refused: 40 }])
  expect(await report.details('acct_1', [0, hourMs], 'key_1')).toMatchObject([{ refused: 40 }])
  expect(await report.errors('acct_1', 0, hourMs)).toMatchObject([{ requests: 41, receipts: 31 }])
})

test('receipts are found by their id and by the code of their error', async () => {
  const database = await databases.open()
  const ledger = Ledger.open(database, 'boot_1')
  const ending = (outcome: 'refused' | 'engine_crash', code: 'overloaded' | 'engine_failed') =>
    ({ outcome, error: { code }, ...counts }) as const
  await settle(ledger, 'req_1', { createdMs: 1 }, { outcome: 'completed', ...counts })
  await settle(ledger, 'req_2', { createdMs: 2 }, ending('engine_crash', 'engine_failed'))
  await settle(ledger, 'req_3', { createdMs: 3 }, ending('refused', 'overloaded'))
  await settle(ledger, 'req_4', { createdMs: 4 }, ending('engine_crash', 'overloaded'))
  await ledger.reserve(ledgerEntry('req_5', { createdMs: 5 }))
  const receipts = new Receipts(database)
  const found = async (filter: object) =>
    (await receipts.list('acct_1', 9, filter))?.map(({ requestId }) => requestId)
  expect(await found({ errorCode: 'overloaded' })).toEqual(['req_4', 'req_3'])
  expect(await found({ errorCode: 'overloaded', after: 'req_4' })).toEqual(['req_3'])
  expect(await found({ errorCode: 'overloaded', status: 'failed' })).toEqual(['req_4'])
  expect(await found({ errorCode: 'overloaded', status: 'in_progress' })).toEqual([])
  expect(await found({ errorCode: 'timeout' })).toEqual([])
  expect(await found({ requestId: 'req_2' })).toEqual(['req_2'])
  expect(await found({ requestId: 'req_5' })).toEqual(['req_5'])
  expect(await found({ requestId: 'req_2', status: 'completed' })).toEqual([])
  expect(await receipts.list('acct_2', 9, { requestId: 'req_2' })).toEqual([])
})

test('histograms are deleted with the receipts of their hour', async () => {
  const database = await databases.open()
  const nowMs = 40 * dayMs
  const ledger = Ledger.open(database, 'boot_1', { now: () => nowMs })
  const ending = {
    outcome: 'completed',
    ...counts,
    queueMs: 3,
    prefillMs: 100,
    decodeMs: 5,
  } as const
  await settle(ledger, 'req_old', { createdMs: dayMs }, ending)
  await settle(ledger, 'req_new', { createdMs: 39 * dayMs }, ending)
  const logger = silentLogger
  const clock = await ExpiryClock.open(database, { logger, now: () => nowMs })
  const retention = Retention.start(database, { receiptDays: 30, logger, clock })
  await retention.sweep()
  await retention.close()
  const rows = await database.read(queries.selectFrom('usage_times').select('begin_ms').distinct())
  expect(rows).toEqual([{ begin_ms: 39 * dayMs }])
  const [details] = await new UsageReport(database).details('acct_1', [0, nowMs])
  expect(quantileMs(details?.firstToken ?? [], 0.5)).toBe(109)
})

async function settle(
  ledger: Ledger,
  requestId: string,
  entry: { createdMs?: number; keyId?: string },
  settlement: Settlement,
): Promise<void> {
  await ledger.reserve(ledgerEntry(requestId, entry))
  await ledger.settle(ledgerEntry(requestId, entry), settlement)
}

function histogramOf(times: readonly number[]): number[] {
  const histogram = Array.from({ length: 36 }, () => 0)
  for (const ms of times) histogram[latencyBucketOf(ms)] = (histogram[latencyBucketOf(ms)] ?? 0) + 1
  return histogram
}
