import { expect, test } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import { queries } from '../../src/storage/statement.ts'
import { silentLogger } from '../../src/telemetry/logger.ts'
import { Ledger, type LedgerEntry } from '../../src/usage/ledger.ts'
import { Receipts } from '../../src/usage/receipts.ts'
import { ExpiryClock } from '../../src/usage/upkeep/expiry-clock.ts'
import { Retention } from '../../src/usage/upkeep/retention.ts'
import { onPostgres, useDatabases } from '../support/databases.ts'
import { ledgerEntry } from '../support/ledger-entry.ts'
import { createOldDatabase } from '../support/old-database.ts'
import { totals } from '../support/usage-sums.ts'

const dayMs = 86_400_000
const noonMs = Date.UTC(2026, 5, 15, 12)

const databases = useDatabases()

test('a database of the first release is upgraded once, and its entries have receipts', async ({
  skip,
}) => {
  skip(...onPostgres)
  await writeFirstRelease()
  let upgrades = 0
  const onUpgrade = () => (upgrades += 1)
  const database = await databases.open({ onUpgrade })
  await databases.open({ onUpgrade })
  expect(upgrades).toBe(1)
  const receipts = new Receipts(database)
  expect(await receipts.find('acct_1', 'req_done')).toMatchObject({
    status: 'completed',
    finishReason: 'stop',
    promptTokens: 11,
    completionTokens: 5,
    seed: undefined,
    parameters: {},
    ignored: [],
  })
  const ledger = Ledger.open(database, 'boot_2', { now: () => noonMs })
  expect(await ledger.closeOrphans()).toBe(1)
  expect(await receipts.find('acct_1', 'req_open')).toMatchObject({
    status: 'failed',
    error: { code: 'internal_error' },
  })
  await ledger.reserve(entry('req_new', noonMs))
  await ledger.settle(entry('req_new', noonMs), settlement)
  expect((await receipts.list('acct_1', 10))?.map(({ requestId }) => requestId)).toEqual([
    'req_new',
    'req_open',
    'req_done',
  ])
})

test('requests of the same millisecond are listed once each over all pages', async () => {
  const database = await databases.open()
  const ledger = Ledger.open(database, 'boot_1')
  await Promise.all(Array.from({ length: 10 }, (_, i) => ledger.reserve(entry(`req_${i}`, noonMs))))
  const receipts = new Receipts(database)
  const seen: string[] = []
  for (let after: string | undefined; ; after = seen.at(-1)) {
    const page = (await receipts.list('acct_1', 3, { after })) ?? []
    if (page.length === 0) break
    seen.push(...page.map(({ requestId }) => requestId))
  }
  expect(seen).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((i) => `req_${i}`))
})

test('entries are deleted after the receipt days; their sums and running requests stay', async () => {
  const database = await databases.open()
  const ledger = Ledger.open(database, 'boot_1', { now: () => noonMs })
  const olderBy = (ms: number) => noonMs - 30 * dayMs - ms
  for (let i = 0; i < 450; i++) await settled(ledger, `req_old_${i}`, olderBy(1 + i))
  await settled(ledger, 'req_kept', olderBy(0))
  await ledger.reserve(entry('req_running', olderBy(1)))
  await settled(ledger, 'req_recent', noonMs - dayMs)

  const retention = Retention.start(database, await retentionOptions(database))
  expect(await retention.sweep()).toBe(450)
  await retention.close()
  expect(await requestIds(database)).toEqual(['req_kept', 'req_recent', 'req_running'])
  expect(await totals(database, 'acct_1')).toMatchObject({ requests: 452, promptTokens: 452 * 11 })
})

test('a sweep that a stop interrupts is finished after the next start', async () => {
  const database = await databases.open()
  const ledger = Ledger.open(database, 'boot_1', { now: () => noonMs })
  for (let i = 0; i < 450; i++) await settled(ledger, `req_${i}`, i)
  await settled(ledger, 'req_recent', noonMs - dayMs)
  const options = await retentionOptions(database)
  const first = Retention.start(database, options)
  await first.close()
  expect(await requestIds(database)).toHaveLength(251)
  const next = Retention.start(database, options)
  expect(await next.sweep()).toBe(250)
  await next.close()
})

async function retentionOptions(database: Database) {
  const logger = silentLogger
  const clock = await ExpiryClock.open(database, { logger, now: () => noonMs })
  return { receiptDays: 30, logger, clock }
}

async function requestIds(database: Database): Promise<string[]> {
  const rows = await database.read(
    queries.selectFrom('usage').select('request_id').orderBy('request_id'),
  )
  return rows.map((row) => row.request_id)
}

async function settled(ledger: Ledger, requestId: string, createdMs: number): Promise<void> {
  await Promise.all([
    ledger.reserve(entry(requestId, createdMs)),
    ledger.settle(entry(requestId, createdMs), settlement),
  ])
}

const settlement = {
  outcome: 'completed',
  promptTokens: 11,
  cachedTokens: 0,
  completionTokens: 5,
} as const

function entry(requestId: string, createdMs: number): LedgerEntry {
  return ledgerEntry(requestId, { createdMs })
}

/** Creates a database of the first release with one finished and one open entry. */
async function writeFirstRelease(): Promise<void> {
  const file = await createOldDatabase(databases.dataDir, 1)
  const insert = file.prepare(
    'insert into usage (request_id, account_id, key_id, model, route, stream, created_ms, state, outcome,' +
      ' finish_reason, prompt_tokens, cached_tokens, completion_tokens, max_tokens, source, billable, updated_ms, boot_id)' +
      " values (?, 'acct_1', 'key_1', 'svc-o1-mini', '/v1/chat', 0, ?, ?, ?, ?, 11, 0, 5, 256, 'engine', 1, 0, 'boot_1')",
  )
  insert.run('req_done', noonMs - 2, 'final', 'completed', 'stop')
  insert.run('req_open', noonMs - 1, 'reserved', null, null)
  file.close()
}
