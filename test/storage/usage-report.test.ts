import { fc } from '../support/random/test-seed.ts'
import { expect, test } from 'vitest'
import { usageKeysMax } from '../../src/limits.ts'
import type { Database } from '../../src/storage/database.ts'
import { queries } from '../../src/storage/statement.ts'
import type { UsageRow } from '../../src/storage/tables.ts'
import { Ledger, type Settlement } from '../../src/usage/ledger.ts'
import { latencyBucketOf } from '../../src/usage/latency-histogram.ts'
import { LocalDays } from '../../src/usage/local-days.ts'
import { addSums, UsageReport } from '../../src/usage/usage-report.ts'
import { onPostgres, useDatabases } from '../support/databases.ts'
import { ledgerEntry } from '../support/ledger-entry.ts'
import { createOldDatabase } from '../support/old-database.ts'
import { allSums, sumsOf } from '../support/usage-sums.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const startMs = Date.UTC(2026, 0, 20)
const spanMs = 100 * dayMs
const seed = 6_028

const databases = useDatabases()

type Made = { requestId: string; createdMs: number; keyId: string; settlement: Settlement }

const made: fc.Arbitrary<Omit<Made, 'requestId'>> = fc.record({
  createdMs: fc.nat(spanMs).map((ms) => startMs + ms),
  keyId: fc.constantFrom('key_1', 'key_2', 'key_3', 'playground'),
  settlement: fc.record({
    outcome: fc.constantFrom(
      'completed',
      'completed',
      'length',
      'client_abort',
      'revoked',
      'refused',
      'engine_crash',
    ),
    promptTokens: fc.nat(500),
    cachedTokens: fc.nat(100),
    completionTokens: fc.nat(500),
    queueMs: fc.nat(50),
    prefillMs: fc.nat(3000),
    decodeMs: fc.option(fc.nat(700_000), { nil: undefined }),
  }) as fc.Arbitrary<Settlement>,
})

test('the report of any time range and key equals a scan of the ledger', async () => {
  const database = await databases.open()
  const rows = await fill(database, fc.sample(made, { numRuns: 1500, seed }))
  const report = new UsageReport(database)
  const ranges = fc.sample(fc.tuple(fc.nat(spanMs / hourMs), fc.nat(spanMs / hourMs)), {
    numRuns: 60,
    seed,
  })
  for (const [one, other] of [...ranges, [0, spanMs / hourMs + 1], [5, 5]]) {
    const fromMs = startMs + Math.min(one ?? 0, other ?? 0) * hourMs
    const toMs = startMs + Math.max(one ?? 0, other ?? 0) * hourMs
    const within = rows.filter((row) => row.created_ms >= fromMs && row.created_ms < toMs)
    const [all] = await report.periods('acct_1', [fromMs, toMs])
    expect(all).toEqual(scan(within))
    const [ofKey] = await report.periods('acct_1', [fromMs, toMs], 'key_2')
    expect(ofKey).toEqual(scan(within.filter((row) => row.key_id === 'key_2')))
    const { keys, leftOut } = await report.keys('acct_1', fromMs, toMs)
    expect(leftOut).toBe(0)
    expect(new Map(keys.map(({ keyId, sums }) => [keyId, sums]))).toEqual(
      new Map(
        [...new Set(within.map((row) => row.key_id))].map((id) => [
          id,
          scan(within.filter((row) => row.key_id === id)),
        ]),
      ),
    )
    const tokens = keys.map(({ sums }) => sums.promptTokens + sums.completionTokens)
    expect(tokens).toEqual(tokens.toSorted((a, b) => b - a))
  }
  const days = new LocalDays('Europe/Berlin').boundaries(startMs, startMs + spanMs)
  const byDay = await report.periods('acct_1', days)
  expect(byDay.map((sums) => sums.requests)).toEqual(
    days
      .slice(1)
      .map(
        (endMs, i) =>
          rows.filter((row) => row.created_ms >= (days[i] ?? 0) && row.created_ms < endMs).length,
      ),
  )
  expect(addSums(byDay)).toEqual(scan(rows))
  expect(await report.keys('acct_2', startMs, startMs + spanMs)).toEqual({ keys: [], leftOut: 0 })
  const march = rows.filter(
    (row) => row.created_ms >= Date.UTC(2026, 2) && row.created_ms < Date.UTC(2026, 3),
  )
  const { requests, promptTokens, completionTokens } = scan(march)
  expect(await report.monthOfAccounts(['acct_1', 'acct_2'], Date.UTC(2026, 2, 20))).toEqual(
    new Map([['acct_1', { requests, promptTokens, completionTokens }]]),
  )
  expect(await report.monthOfAccounts(['acct_2'], Date.UTC(2026, 2, 20))).toEqual(new Map())
})

test('the keys with the most tokens are listed, also one with a single request', async () => {
  const database = await databases.open()
  const request = (keyId: string, promptTokens: number): Omit<Made, 'requestId'> => ({
    createdMs: startMs,
    keyId,
    settlement: {
      outcome: 'completed',
      promptTokens,
      cachedTokens: 0,
      completionTokens: 1,
      queueMs: 0,
      prefillMs: 1,
      decodeMs: 1,
    },
  })
  const small = Array.from({ length: usageKeysMax }, (_, i) => request(`key_${i + 10_000}`, 2))
  await fill(database, [...small, ...small, request('key_large', 500)])
  const { keys, leftOut } = await new UsageReport(database).keys('acct_1', startMs, startMs + dayMs)
  const listed = keys.map(({ keyId, sums }) => [keyId, sums.requests, sums.promptTokens])
  expect(listed.slice(0, 2)).toEqual([
    ['key_large', 1, 500],
    ['key_10000', 2, 4],
  ])
  expect([listed.length, leftOut]).toEqual([usageKeysMax, 1])
})

test('the upgrade computes the sums from the entries, and from the hourly sums of deleted entries', async ({
  skip,
}) => {
  skip(...onPostgres)
  const file = await createOldDatabase(databases.dataDir, 5)
  const insert = file.prepare(
    'insert into usage (request_id, account_id, key_id, model, route, stream, created_ms, state, outcome, prompt_tokens,' +
      ' cached_tokens, completion_tokens, max_tokens, billable, updated_ms, boot_id, queue_ms, prefill_ms, decode_ms)' +
      " values (?, 'acct_1', ?, 'svc-o1-mini', '/v1/chat', 0, ?, 'final', ?, ?, ?, ?, 256, ?, 0, 'boot_1', ?, ?, ?)",
  )
  const billed = ['completed', 'length', 'client_abort', 'revoked']
  for (const [i, { createdMs, keyId, settlement }] of fc
    .sample(made, { numRuns: 800, seed })
    .entries())
    insert.run(
      `req_${i}`,
      keyId,
      createdMs,
      settlement.outcome,
      settlement.promptTokens,
      settlement.cachedTokens,
      settlement.completionTokens,
      billed.includes(settlement.outcome) ? 1 : 0,
      settlement.queueMs,
      settlement.prefillMs,
      settlement.decodeMs ?? null,
    )
  file.exec(
    'insert into usage_hour select account_id, created_ms - created_ms % 3600000, key_id, model, billable, count(*),' +
      ' sum(prompt_tokens), sum(cached_tokens), sum(completion_tokens) from usage group by 1, 2, 3, 4, 5;' +
      // The entries behind these hourly sums have already been deleted.
      `insert into usage_hour values ('acct_2', ${startMs}, 'key_9', 'svc-o1-mini', 1, 7, 70, 0, 35), ('acct_2', ${startMs}, 'key_9', 'svc-o1-mini', 0, 2, 20, 0, 0)`,
  )
  file.exec('vacuum')
  file.close()

  const database = await databases.open()
  const rows = await database.read(queries.selectFrom('usage').selectAll())
  expect(await allSums(database, 'acct_1')).toEqual(sumsOf(rows))
  const gone = { requests: 9, errors: 2, prompt_tokens: 90, completion_tokens: 35 }
  expect(await allSums(database, 'acct_2')).toEqual({
    [`hour  ${startMs}`]: gone,
    [`hour key_9 ${startMs}`]: gone,
    [`day key_9 ${startMs}`]: gone,
    [`month key_9 ${Date.UTC(2026, 0)}`]: gone,
  })
})

async function fill(
  database: Database,
  all: readonly Omit<Made, 'requestId'>[],
): Promise<UsageRow[]> {
  const ledger = Ledger.open(database, 'boot_1')
  // Writes few entries at a time, so that no write times out on a busy machine.
  for (let from = 0; from < all.length; from += 100)
    await Promise.all(
      all.slice(from, from + 100).map(async ({ createdMs, keyId, settlement }, i) => {
        const entry = ledgerEntry(`req_${from + i}`, { createdMs, keyId })
        await ledger.reserve(entry)
        await ledger.settle(entry, settlement)
      }),
    )
  return database.read(queries.selectFrom('usage').selectAll())
}

function scan(rows: readonly UsageRow[]) {
  const latencies = Array.from({ length: rows.length === 0 ? 0 : 36 }, () => 0)
  for (const row of rows.filter(({ outcome }) => outcome === 'completed' || outcome === 'length')) {
    const bucket = latencyBucketOf(
      (row.queue_ms ?? 0) + (row.prefill_ms ?? 0) + (row.decode_ms ?? 0),
    )
    latencies[bucket] = (latencies[bucket] ?? 0) + 1
  }
  const sum = (of: (row: UsageRow) => number) => rows.reduce((total, row) => total + of(row), 0)
  return {
    requests: rows.length,
    errors: sum((row) =>
      ['completed', 'length', 'client_abort'].includes(row.outcome ?? '') ? 0 : 1,
    ),
    promptTokens: sum((row) => row.prompt_tokens),
    cachedTokens: sum((row) => row.cached_tokens ?? 0),
    completionTokens: sum((row) => row.completion_tokens ?? 0),
    latencies,
  }
}
