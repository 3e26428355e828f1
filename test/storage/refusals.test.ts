import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { ServiceError } from '../../src/errors.ts'
import { receiptParametersBytesMax } from '../../src/limits.ts'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { queries } from '../../src/storage/statement.ts'
import { Ledger, type Settlement } from '../../src/usage/ledger.ts'
import { ReceiptSample } from '../../src/usage/refusals/receipt-sample.ts'
import { RefusalCounts } from '../../src/usage/refusals/refusal-counts.ts'
import { silentLogger } from '../../src/telemetry/logger.ts'
import { onPostgres, useDatabases } from '../support/databases.ts'
import { ledgerEntry } from '../support/ledger-entry.ts'
import { createOldDatabase } from '../support/old-database.ts'
import { totals } from '../support/usage-sums.ts'

const hourMs = 3_600_000

const databases = useDatabases()
let database: Database
let ledger: Ledger
beforeEach(async () => {
  database = await databases.open()
  ledger = Ledger.open(database, 'boot_1')
})

test('an account gets 30 receipts of refusals at once and 30 per minute, all accounts 120 (T41, T52)', () => {
  let steadyMs = 0
  const sample = new ReceiptSample(() => steadyMs)
  const admitted = (account: string) =>
    Array.from({ length: 100 }, () => sample.admits(account)).filter(Boolean).length
  expect(['a', 'b', 'c', 'd', 'e'].map(admitted)).toEqual([30, 30, 30, 30, 0])
  steadyMs = 10_000
  expect(admitted('a')).toBe(5)
  steadyMs = 120_000
  expect(admitted('a')).toBe(30)
})

test('refusals without a receipt are counted by key, hour and code (T41, T52)', async () => {
  for (let i = 0; i < 50; i++) ledger.refuse(ledgerEntry(`req_${i}`, { createdMs: i }), refusal)
  for (let i = 50; i < 60; i++)
    ledger.refuse(ledgerEntry(`req_${i}`, { keyId: 'key_2', createdMs: hourMs }), refusal)
  await ledger.close()
  expect(ledger.receiptsLeftOut).toBe(30)
  expect(await totals(database, 'acct_1')).toMatchObject({ requests: 60 })
  expect(await errors()).toEqual([
    { key_id: '', begin_ms: 0, code: 'overloaded', requests: 50, receipts: 30, refused: 50 },
    { key_id: '', begin_ms: hourMs, code: 'overloaded', requests: 10, receipts: 0, refused: 10 },
    { key_id: 'key_1', begin_ms: 0, code: 'overloaded', requests: 50, receipts: 30, refused: 50 },
    {
      key_id: 'key_2',
      begin_ms: hourMs,
      code: 'overloaded',
      requests: 10,
      receipts: 0,
      refused: 10,
    },
  ])
})

test('counts that cannot be written are written later (T41, T52)', async () => {
  for (let i = 0; i < 40; i++) ledger.refuse(ledgerEntry(`req_${i}`), refusal)
  vi.spyOn(database, 'writeGuarded').mockRejectedValueOnce(unavailable())
  await expect.poll(async () => (await errors())[0]?.requests).toBe(40)
})

test('refusals whose receipts cannot be written are counted later', async ({ skip }) => {
  skip(...onPostgres)
  await database.close()
  database = await databases.open({ lockWaitMs: 0 })
  ledger = Ledger.open(database, 'boot_1')
  const unlock = lockFile()
  for (let i = 0; i < 5; i++) ledger.refuse(ledgerEntry(`req_${i}`), refusal)
  await expect.poll(() => ledger.receiptsLeftOut).toBe(5)
  unlock()
  await ledger.close()
  expect((await errors())[0]).toMatchObject({ requests: 5, receipts: 0, refused: 5 })
  expect(await totals(database, 'acct_1')).toMatchObject({ requests: 5 })
})

test('a refusal whose receipt may have been written is not counted again', async () => {
  const write = database.writeGuarded.bind(database)
  const writes = vi.spyOn(database, 'writeGuarded').mockImplementationOnce(async (...given) => {
    await write(...given)
    throw unavailable()
  })
  ledger.refuse(ledgerEntry('req_1'), refusal)
  await expect.poll(() => writes.mock.settledResults[0]?.type).toBe('rejected')
  await ledger.close()
  expect((await errors())[0]).toMatchObject({ requests: 1, receipts: 1, refused: 1 })
})

test('the log has one warning for each outage in which counts cannot be written', async ({
  skip,
}) => {
  skip(...onPostgres)
  await database.close()
  database = await databases.open({ lockWaitMs: 0 })
  const warn = vi.fn<() => void>()
  const counts = new RefusalCounts(database, Date.now, { ...silentLogger, warn })
  for (const outages of [1, 2]) {
    const unlock = lockFile()
    counts.add(counted)
    for (let i = 0; i < 3; i++) await counts.flush()
    expect(warn).toHaveBeenCalledTimes(outages)
    unlock()
    await counts.flush()
    expect((await errors())[0]?.requests).toBe(outages)
  }
})

test('counts that were written although their write failed are not added again, and later ones are', async () => {
  for (let i = 0; i < 40; i++) ledger.refuse(ledgerEntry(`req_${i}`), refusal)
  const write = database.writeGuarded.bind(database)
  const writes = vi.spyOn(database, 'writeGuarded').mockImplementationOnce(async (...given) => {
    await write(...given)
    throw unavailable()
  })
  await expect.poll(() => writes.mock.settledResults[0]?.type).toBe('rejected')
  for (let i = 40; i < 45; i++) ledger.refuse(ledgerEntry(`req_${i}`), refusal)
  await ledger.close()
  expect((await errors())[0]).toMatchObject({ requests: 45, receipts: 30, refused: 45 })
  expect(await totals(database, 'acct_1')).toMatchObject({ requests: 45 })
  const keys = queries.selectFrom('idempotency').select('account_id')
  expect(await database.read(keys)).toEqual([{ account_id: '' }])
})

test('errors of settled requests and of orphans are counted by code (T41, T52)', async () => {
  await ledger.reserve(ledgerEntry('req_1'))
  await ledger.reserve(ledgerEntry('req_2'))
  await ledger.reserve(ledgerEntry('req_3'))
  const error = { code: 'engine_failed', message: 'x'.repeat(1000) } as const
  await ledger.settle(ledgerEntry('req_1'), { ...refusal, outcome: 'engine_crash', error })
  await ledger.settle(ledgerEntry('req_2'), { ...refusal, outcome: 'completed', error: undefined })
  expect(await ledger.find('req_1')).toMatchObject({
    error_param: null,
    error_message: 'x'.repeat(400),
  })
  await Ledger.open(database, 'boot_2').closeOrphans()
  expect((await errors()).map(({ key_id, code, requests }) => [key_id, code, requests])).toEqual([
    ['', 'engine_failed', 1],
    ['', 'internal_error', 1],
    ['key_1', 'engine_failed', 1],
    ['key_1', 'internal_error', 1],
  ])
})

test('the parameters of one request take at most 32 KiB, and what does not fit is left out (T41, T52)', async () => {
  const pairs = (count: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`name_${i}`, value]))
  const chinese = pairs(16, '字'.repeat(512))
  const control = pairs(16, '\0'.repeat(512))
  await ledger.reserve(ledgerEntry('req_1', { parameters: { user: 'u', metadata: chinese } }))
  await ledger.reserve(
    ledgerEntry('req_2', { parameters: { user: 'u', metadata: control, store: true } }),
  )
  const stored = async (id: string) => (await ledger.find(id))?.parameters ?? ''
  expect(JSON.parse(await stored('req_1'))).toEqual({ user: 'u', metadata: chinese })
  expect(Buffer.byteLength(await stored('req_1'))).toBeLessThan(receiptParametersBytesMax)
  expect(await stored('req_2')).toBe('{"user":"u","store":true}')
})

test('an upgrade counts the errors of the receipts that exist (T52)', async () => {
  await database.close()
  const file = await createOldDatabase(`${databases.dataDir}/old`, 5)
  const insert = file.prepare(
    'insert into usage (request_id, account_id, key_id, model, route, stream, created_ms, state, outcome,' +
      ' prompt_tokens, max_tokens, updated_ms, boot_id, error_code)' +
      " values (?, 'acct_1', ?, 'm', '/v1/chat', 0, ?, 'final', 'refused', 0, 256, 0, 'boot_1', ?)",
  )
  insert.run('req_1', 'key_1', 1, 'overloaded')
  insert.run('req_2', 'key_2', 2, 'overloaded')
  insert.run('req_3', 'key_1', 3, null)
  file.close()

  database = await openDatabase(`${databases.dataDir}/old`)
  expect(await errors()).toEqual([
    { key_id: '', begin_ms: 0, code: 'overloaded', requests: 2, receipts: 2, refused: 2 },
    { key_id: 'key_1', begin_ms: 0, code: 'overloaded', requests: 1, receipts: 1, refused: 1 },
    { key_id: 'key_2', begin_ms: 0, code: 'overloaded', requests: 1, receipts: 1, refused: 1 },
  ])
  await database.close()
})

const refusal: Settlement = {
  outcome: 'refused',
  error: { code: 'overloaded' },
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
}

const counted = {
  accountId: 'acct_1',
  keyId: 'key_1',
  createdMs: 0,
  requests: 1,
  errors: 1,
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
  latencyMs: undefined,
  code: 'overloaded',
} as const

const unavailable = () => new ServiceError('ledger_unavailable', 'The disk is full.')

/** Locks the database file against the service's writes, until the returned function is called. */
function lockFile(): () => void {
  const other = new Sqlite(join(databases.dataDir, 'pipit.db'))
  other.exec('begin immediate')
  const unlock = () => void other.close()
  onTestFinished(unlock)
  return unlock
}

function errors() {
  return database.read(
    queries
      .selectFrom('usage_errors')
      .select(['key_id', 'begin_ms', 'code', 'requests', 'receipts', 'refused'])
      .where('account_id', '=', 'acct_1')
      .orderBy('key_id')
      .orderBy('begin_ms')
      .orderBy('code'),
  )
}
