import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { queries } from '../../src/storage/statement.ts'
import { silentLogger } from '../../src/telemetry/logger.ts'
import { type Claim, Ledger, type LedgerEntry } from '../../src/usage/ledger.ts'
import { Retention } from '../../src/usage/retention.ts'
import { ledgerEntry } from '../support/ledger-entry.ts'

const noonMs = Date.UTC(2026, 5, 15, 12)
const dayMs = 86_400_000

let dataDir: string
let database: Database
let nowMs: number
let ledger: Ledger
beforeEach(async () => {
  nowMs = noonMs
  dataDir = mkdtempSync(join(tmpdir(), 'pipit-'))
  database = await openDatabase(dataDir)
  ledger = Ledger.open(database, 'boot_1', () => nowMs)
})
afterEach(async () => {
  await database.close()
  rmSync(dataDir, { recursive: true })
})

test('of two fronts on one database that reserve for one key, one runs', async () => {
  const otherDatabase = await openDatabase(dataDir)
  try {
    const other = Ledger.open(otherDatabase, 'boot_2', () => nowMs)
    for (let round = 0; round < 20; round++) {
      const claim = newClaim(`key_${round}`)
      const results = await Promise.allSettled(
        Array.from({ length: 10 }, (_, i) =>
          (i % 2 === 0 ? ledger : other).reserve(entry(`req_${round}_${i}`), claim),
        ),
      )
      const refused = results.filter((result) => result.status === 'rejected')
      expect(refused).toHaveLength(9)
      for (const { reason } of refused)
        expect(reason).toMatchObject({ code: 'idempotency_in_progress' })
    }
    expect(await count('usage')).toBe(20)
  } finally {
    await otherDatabase.close()
  }
})

test('a reply is there for 24 hours, whatever another key of the account does', async () => {
  await finished('req_1', newClaim('key_1'), 'the reply')
  expect(await ledger.findReply(newClaim('key_2'))).toBeUndefined()
  nowMs = noonMs + dayMs - 1
  expect(await ledger.findReply(newClaim('key_1'))).toBe('the reply')
  await expect(ledger.reserve(entry('req_2'), newClaim('key_1'))).rejects.toMatchObject({
    code: 'idempotency_in_progress',
  })
  nowMs = noonMs + dayMs
  expect(await ledger.findReply(newClaim('key_1'))).toBeUndefined()
  await finished('req_3', { ...newClaim('key_1'), fingerprint: 'another' }, 'a new one')
  expect(await ledger.findReply({ ...newClaim('key_1'), fingerprint: 'another' })).toBe('a new one')
})

test('what is older than 24 hours is deleted; what runs is not', async () => {
  for (let i = 0; i < 250; i++) await finished(`req_${i}`, newClaim(`key_${i}`), 'x')
  await ledger.reserve(entry('req_running'), newClaim('running'))
  nowMs = noonMs + dayMs
  await finished('req_new', newClaim('new'), 'x')
  const retention = Retention.start(database, {
    receiptDays: 3650,
    logger: silentLogger,
    now: () => nowMs,
  })
  expect(await retention.sweep()).toBe(250)
  await retention.close()
  expect(await count('idempotency')).toBe(2)
  expect(await ledger.findReply(newClaim('new'))).toBe('x')
})

test('beyond 64 MiB of all replies the oldest go first', async () => {
  const reply = 'x'.repeat(64 * 1024)
  const kept = Math.floor((64 * 1024 * 1024) / (64 * 1024 + 512))
  await Promise.all(
    Array.from({ length: kept + 5 }, (_, i) => finished(`req_${i}`, newClaim(`key_${i}`), reply)),
  )
  expect(await count('idempotency')).toBe(kept)
  const rows = await database.read(queries.selectFrom('idempotency').select('request_id'))
  const ids = new Set(rows.map((row) => row.request_id))
  for (let i = 0; i < 5; i++) expect(ids.has(`req_${i}`)).toBe(false)
})

test('a key whose request a crash cut off is free after the next start', async () => {
  await ledger.reserve(entry('req_1'), newClaim('key_1'))
  await finished('req_2', newClaim('key_2'), 'kept')
  const next = Ledger.open(database, 'boot_2', () => nowMs)
  await expect(next.findReply(newClaim('key_1'))).rejects.toMatchObject({
    code: 'idempotency_in_progress',
  })
  expect(await next.closeOrphans()).toBe(1)
  expect(await next.findReply(newClaim('key_1'))).toBeUndefined()
  expect(await next.findReply(newClaim('key_2'))).toBe('kept')
  await next.reserve(entry('req_3'), newClaim('key_1'))
})

async function finished(requestId: string, claim: Claim, reply: string): Promise<void> {
  await ledger.reserve(entry(requestId), claim)
  const settlement = {
    outcome: 'completed',
    promptTokens: 11,
    cachedTokens: 0,
    completionTokens: 5,
  } as const
  await ledger.settle(entry(requestId), settlement, { reply })
}

async function count(table: 'usage' | 'idempotency'): Promise<number> {
  const [row] = await database.read(
    queries.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count')),
  )
  return Number(row?.count)
}

function newClaim(keyDigest: string): Claim {
  return { accountId: 'acct_1', route: 'chat.completions', keyDigest, fingerprint: 'body' }
}

function entry(requestId: string): LedgerEntry {
  return ledgerEntry(requestId, { createdMs: nowMs })
}
