import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, type DatabaseOptions, openDatabase } from '../../src/storage/database.ts'
import * as initial from '../../src/storage/migrations/0001-initial.ts'
import { queries } from '../../src/storage/statement.ts'
import { silentLogger } from '../../src/telemetry/logger.ts'
import { Ledger, type LedgerEntry } from '../../src/usage/ledger.ts'
import { Receipts } from '../../src/usage/receipts.ts'
import { Retention } from '../../src/usage/retention.ts'
import { ledgerEntry } from '../support/ledger-entry.ts'
import { totals } from '../support/usage-sums.ts'

const dayMs = 86_400_000
const noonMs = Date.UTC(2026, 5, 15, 12)

let dataDir: string
let opened: Database[]
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'pipit-'))
  opened = []
})
afterEach(async () => {
  await Promise.all(opened.map((database) => database.close()))
  rmSync(dataDir, { recursive: true })
})

test('a database of the first release is upgraded, and its entries have receipts', async () => {
  await writeFirstRelease()
  let told = 0
  const onUpgrade = () => (told += 1)
  const database = await open({ onUpgrade })
  await open({ onUpgrade })
  expect(told).toBe(1)
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
  const ledger = Ledger.open(database, 'boot_2', () => noonMs)
  expect(await ledger.closeOrphans()).toBe(1)
  expect(await receipts.find('acct_1', 'req_open')).toMatchObject({
    status: 'failed',
    errorCode: 'internal_error',
  })
  await ledger.reserve(entry('req_new', noonMs))
  await ledger.settle(entry('req_new', noonMs), settlement)
  expect((await receipts.list('acct_1', 10))?.map(({ requestId }) => requestId)).toEqual([
    'req_new',
    'req_open',
    'req_done',
  ])
})

test('requests of one millisecond are listed once each, across pages', async () => {
  const database = await open()
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

test('entries go when they are older than receipts are kept; their sums and what runs stay', async () => {
  const database = await open()
  const ledger = Ledger.open(database, 'boot_1', () => noonMs)
  const olderBy = (ms: number) => noonMs - 30 * dayMs - ms
  for (let i = 0; i < 450; i++) await settled(ledger, `req_old_${i}`, olderBy(1 + i))
  await settled(ledger, 'req_kept', olderBy(0))
  await ledger.reserve(entry('req_running', olderBy(1)))

  const retention = Retention.start(database, {
    receiptDays: 30,
    logger: silentLogger,
    now: () => noonMs,
  })
  expect(await retention.sweep()).toBe(450)
  await retention.close()
  expect(await requestIds(database)).toEqual(['req_kept', 'req_running'])
  expect(await totals(database, 'acct_1')).toMatchObject({ requests: 451, promptTokens: 451 * 11 })
})

test('a stop in the middle leaves the rest to the next start', async () => {
  const database = await open()
  const ledger = Ledger.open(database, 'boot_1', () => noonMs)
  for (let i = 0; i < 450; i++) await settled(ledger, `req_${i}`, i)
  const options = { receiptDays: 30, logger: silentLogger, now: () => noonMs }
  const first = Retention.start(database, options)
  await first.close()
  expect(await requestIds(database)).toHaveLength(250)
  const next = Retention.start(database, options)
  expect(await next.sweep()).toBe(250)
  await next.close()
})

async function open(options: DatabaseOptions = {}): Promise<Database> {
  const database = await openDatabase(dataDir, options)
  opened.push(database)
  return database
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

/** As the first release made and filled it. */
async function writeFirstRelease(): Promise<void> {
  mkdirSync(dataDir, { recursive: true })
  const file = new Sqlite(join(dataDir, 'pipit.db'))
  file.pragma('application_id = 0x50495054')
  file.pragma('journal_mode = WAL')
  file.exec(
    'create table schema_migrations (version integer primary key, name text not null, applied_ms bigint not null);' +
      "insert into schema_migrations values (1, '0001-initial', 0)",
  )
  const db = new Kysely({ dialect: new SqliteDialect({ database: file }) })
  await initial.up(db.schema)
  const insert = file.prepare(
    'insert into usage (request_id, account_id, key_id, model, route, stream, created_ms, state, outcome,' +
      ' finish_reason, prompt_tokens, cached_tokens, completion_tokens, max_tokens, source, billable, updated_ms, boot_id)' +
      " values (?, 'acct_1', 'key_1', 'svc-o1-mini', '/v1/chat', 0, ?, ?, ?, ?, 11, 0, 5, 256, 'engine', 1, 0, 'boot_1')",
  )
  insert.run('req_done', noonMs - 2, 'final', 'completed', 'stop')
  insert.run('req_open', noonMs - 1, 'reserved', null, null)
  await db.destroy()
}
