import { beforeEach, expect, test } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import { queries } from '../../src/storage/statement.ts'
import { silentLogger } from '../../src/telemetry/logger.ts'
import { type Claim, Ledger, type LedgerEntry } from '../../src/usage/ledger.ts'
import { ExpiryClock } from '../../src/usage/upkeep/expiry-clock.ts'
import { Retention } from '../../src/usage/upkeep/retention.ts'
import { useDatabases } from '../support/databases.ts'
import { ledgerEntry } from '../support/ledger-entry.ts'

const noonMs = Date.UTC(2026, 5, 15, 12)
const dayMs = 86_400_000

const databases = useDatabases()
let database: Database
let nowMs: number
let ledger: Ledger
beforeEach(async () => {
  nowMs = noonMs
  database = await databases.open()
  ledger = Ledger.open(database, 'boot_1', { now: () => nowMs })
})

test('when two processes reserve the same idempotency key, one of them succeeds (F22)', async () => {
  const other = Ledger.open(await databases.open(), 'boot_2', { now: () => nowMs })
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
})

test('a stored reply is found for 24 hours, under its own key only', async () => {
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

test('stored replies are deleted after 24 hours, running requests are not (T41)', async () => {
  for (let i = 0; i < 250; i++) await finished(`req_${i}`, newClaim(`key_${i}`), 'x')
  await ledger.reserve(entry('req_running'), newClaim('running'))
  nowMs = noonMs + dayMs
  await finished('req_new', newClaim('new'), 'x')
  const logger = silentLogger
  const clock = await ExpiryClock.open(database, { logger, now: () => nowMs })
  const retention = Retention.start(database, { receiptDays: 3650, logger, clock })
  expect(await retention.sweep()).toBe(250)
  await retention.close()
  expect(await count('idempotency')).toBe(2)
  expect(await ledger.findReply(newClaim('new'))).toBe('x')
})

test('when the stored replies exceed 64 MiB, the oldest are deleted first (T41)', async () => {
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

test('the key of a request that a crash ended is free after the next start', async () => {
  await ledger.reserve(entry('req_1'), newClaim('key_1'))
  await finished('req_2', newClaim('key_2'), 'kept')
  const next = Ledger.open(database, 'boot_2', { now: () => nowMs })
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
