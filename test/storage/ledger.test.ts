import { fc } from '../support/random/test-seed.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import { queries } from '../../src/storage/statement.ts'
import type { UsageSumsRow } from '../../src/storage/tables.ts'
import { Ledger, type LedgerEntry, type Settlement } from '../../src/usage/ledger.ts'
import { onPostgres, useDatabases } from '../support/databases.ts'
import { ledgerEntry } from '../support/ledger-entry.ts'
import { allSums, sumsOf, totals } from '../support/usage-sums.ts'

const noonMs = Date.UTC(2026, 0, 2, 12)

const databases = useDatabases()
let database: Database
let ledger: Ledger

beforeEach(async () => {
  database = await databases.open()
  ledger = Ledger.open(database, 'boot_1', { now: () => noonMs })
})

test('a reserved entry describes its request and is not in the sums', async () => {
  await ledger.reserve(entry('req_1', { stream: true }))
  const [isPostgres] = onPostgres
  expect(await ledger.find('req_1')).toEqual({
    // The SQLite file keeps two columns that are no longer used.
    ...(isPostgres ? {} : { source: null, billable: null }),
    request_id: 'req_1',
    account_id: 'acct_1',
    key_id: 'key_1',
    model: 'svc-o1-mini',
    route: '/v1/chat/completions',
    stream: 1,
    created_ms: noonMs,
    state: 'reserved',
    outcome: null,
    finish_reason: null,
    prompt_tokens: 11,
    cached_tokens: null,
    completion_tokens: null,
    reasoning_tokens: null,
    max_tokens: 256,
    updated_ms: noonMs,
    boot_id: 'boot_1',
    queue_ms: null,
    prefill_ms: null,
    decode_ms: null,
    seed: Number.MAX_SAFE_INTEGER,
    fingerprint: 'fp_1',
    error_code: null,
    error_param: null,
    error_message: null,
    parameters: '{"user":"u"}',
    ignored: null,
  })
  expect(await totals(database, 'acct_1')).toEqual(noTokens)
})

test('a settled entry is final and is in the sums of its hour', async () => {
  const late = entry('req_1', { createdMs: noonMs + 3_599_999 })
  await ledger.reserve(late)
  await ledger.settle(late, settlement({ completionTokens: 7, cachedTokens: 3 }))
  expect(await ledger.find('req_1')).toMatchObject({
    state: 'final',
    outcome: 'completed',
    finish_reason: 'stop',
    prompt_tokens: 11,
    cached_tokens: 3,
    completion_tokens: 7,
  })
  expect(await hours()).toMatchObject([
    {
      account_id: 'acct_1',
      begin_ms: noonMs,
      key_id: 'key_1',
      requests: 1,
      errors: 0,
      prompt_tokens: 11,
      cached_tokens: 3,
      completion_tokens: 7,
    },
  ])
})

test('a second settlement changes neither the entry nor the sums', async () => {
  await ledger.reserve(entry('req_1'))
  await Promise.all([
    ledger.settle(entry('req_1'), settlement({ completionTokens: 7 })),
    ledger.settle(entry('req_1'), settlement({ completionTokens: 9, outcome: 'client_abort' })),
  ])
  await ledger.settle(entry('req_1'), settlement({ completionTokens: 8 }))
  expect(await ledger.find('req_1')).toMatchObject({ outcome: 'completed', completion_tokens: 7 })
  expect(await totals(database, 'acct_1')).toEqual({
    ...noTokens,
    requests: 1,
    promptTokens: 11,
    completionTokens: 7,
  })
})

test('a request id can be reserved only once', async () => {
  await ledger.reserve(entry('req_1'))
  await expect(ledger.reserve(entry('req_1'))).rejects.toThrow(
    /^(SQLITE_CONSTRAINT|POSTGRES_23505)/,
  )
  await ledger.settle(entry('req_1'), settlement({}))
  await expect(ledger.reserve(entry('req_1'))).rejects.toThrow(
    /^(SQLITE_CONSTRAINT|POSTGRES_23505)/,
  )
  expect(await ledger.find('req_1')).toMatchObject({ state: 'final' })
})

test('a request that was never reserved cannot be settled', async () => {
  await expect(ledger.settle(entry('req_none'), settlement({}))).rejects.toThrow(
    /was never reserved/,
  )
  expect(await hours()).toEqual([])
})

test('zero tokens are stored as zero, not as unknown', async () => {
  await ledger.reserve(entry('req_1'))
  await ledger.settle(entry('req_1'), settlement({ promptTokens: 0, completionTokens: 0 }))
  expect(await ledger.find('req_1')).toMatchObject({
    prompt_tokens: 0,
    cached_tokens: 0,
    completion_tokens: 0,
  })
})

test('a count that is not a whole number is a bug and is not written', async () => {
  await ledger.reserve(entry('req_1'))
  for (const completionTokens of [-1, 0.5, NaN, Infinity])
    await expect(ledger.settle(entry('req_1'), settlement({ completionTokens }))).rejects.toThrow(
      /whole/,
    )
  expect(await ledger.find('req_1')).toMatchObject({ state: 'reserved' })
})

test.each([
  ['completed', 'stop'],
  ['length', 'length'],
  ['client_abort', null],
  ['revoked', null],
  ['engine_crash', null],
  ['deadline', null],
  ['shutdown', null],
  ['internal_error', null],
  ['refused', null],
] as const)('the outcome %s has the finish reason %s', async (outcome, finishReason) => {
  await ledger.reserve(entry('req_1'))
  await ledger.settle(entry('req_1'), settlement({ outcome }))
  expect(await ledger.find('req_1')).toMatchObject({
    outcome,
    finish_reason: finishReason,
  })
})

describe('after a crash', () => {
  test('open entries of the earlier process are closed at their last checkpoint and not billed', async () => {
    await ledger.reserve(entry('req_1'))
    ledger.checkpoint('req_1', 64)
    ledger.checkpoint('req_1', 128)
    await ledger.reserve(entry('req_2', { createdMs: noonMs - 1 }))

    const next = Ledger.open(database, 'boot_2', { now: () => noonMs + 5000 })
    expect(await next.closeOrphans()).toBe(2)
    expect(await next.find('req_1')).toMatchObject({
      state: 'final',
      outcome: 'server_crash',
      completion_tokens: 128,
      updated_ms: noonMs + 5000,
      boot_id: 'boot_1',
    })
    expect(await next.find('req_2')).toMatchObject({ completion_tokens: null })
    expect(await totals(database, 'acct_1')).toEqual({
      requests: 2,
      promptTokens: 22,
      cachedTokens: 0,
      completionTokens: 128,
    })
    expect((await hours()).map((row) => row.begin_ms)).toEqual([noonMs - 3_600_000, noonMs])
    expect(await next.closeOrphans()).toBe(0)
  })

  test('entries that this process has reserved stay open', async () => {
    await ledger.reserve(entry('req_1'))
    expect(await ledger.closeOrphans()).toBe(0)
    expect(await ledger.find('req_1')).toMatchObject({ state: 'reserved' })
  })
})

test('a late checkpoint does not touch a settled entry', async () => {
  await ledger.reserve(entry('req_1'))
  const settled = ledger.settle(entry('req_1'), settlement({ completionTokens: 70 }))
  ledger.checkpoint('req_1', 64)
  await settled
  expect(await ledger.find('req_1')).toMatchObject({ completion_tokens: 70 })
})

type Step =
  | { type: 'reserve'; id: number; hour: number; key: number }
  | { type: 'checkpoint'; id: number; tokens: number }
  | { type: 'settle'; id: number; tokens: number; outcome: Settlement['outcome'] }
  | { type: 'crash' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('reserve'),
      id: fc.nat(15),
      hour: fc.nat(2),
      key: fc.nat(2),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('checkpoint'), id: fc.nat(15), tokens: fc.nat(200) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('settle'),
      id: fc.nat(15),
      tokens: fc.nat(256),
      outcome: fc.constantFrom('completed', 'length', 'client_abort', 'engine_crash'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('crash') }) },
) as fc.Arbitrary<Step>

test('every entry is settled once and the sums match, for any order of events', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const account = `acct_${++run}`
      const first = new Map<number, number | undefined>()
      const reserved = new Map<number, LedgerEntry>()
      let boot = 0
      let current = Ledger.open(database, `boot_${run}_0`, { now: () => noonMs })
      const pending: Promise<unknown>[] = []
      for (const event of steps)
        switch (event.type) {
          case 'reserve':
            {
              const wanted = entry(`req_${run}_${event.id}`, {
                accountId: account,
                keyId: `key_${event.key}`,
                createdMs: noonMs + event.hour * 3_600_000,
              })
              if (!first.has(event.id)) first.set(event.id, undefined)
              if (!reserved.has(event.id)) reserved.set(event.id, wanted)
              pending.push(current.reserve(wanted))
            }
            break
          case 'checkpoint':
            current.checkpoint(`req_${run}_${event.id}`, event.tokens)
            break
          case 'settle': {
            const { outcome, tokens } = event
            if (first.has(event.id) && first.get(event.id) === undefined)
              first.set(event.id, tokens)
            pending.push(
              current.settle(
                reserved.get(event.id) ?? entry(`req_${run}_${event.id}`),
                settlement({ outcome, completionTokens: tokens }),
              ),
            )
            break
          }
          case 'crash':
            await Promise.allSettled(pending)
            current = Ledger.open(database, `boot_${run}_${++boot}`, { now: () => noonMs })
            await current.closeOrphans()
            for (const [id, tokens] of first) if (tokens === undefined) first.set(id, -1)
        }
      await Promise.allSettled(pending)
      await Ledger.open(database, `boot_${run}_last`, { now: () => noonMs }).closeOrphans()

      const rows = await database.read(
        queries.selectFrom('usage').selectAll().where('account_id', '=', account),
      )
      expect(rows).toHaveLength(first.size)
      for (const [id, tokens] of first) {
        const row = rows.find(({ request_id }) => request_id === `req_${run}_${id}`)
        expect(row?.state).toBe('final')
        if (tokens === undefined || tokens === -1) expect(row?.outcome).toBe('server_crash')
        else expect(row?.completion_tokens).toBe(tokens)
      }
      expect(await allSums(database, account)).toEqual(sumsOf(rows))
    }),
    { numRuns: 60 },
  )
})

const noTokens = { requests: 0, promptTokens: 0, cachedTokens: 0, completionTokens: 0 }

function entry(requestId: string, changes: Partial<LedgerEntry> = {}): LedgerEntry {
  return ledgerEntry(requestId, {
    createdMs: noonMs,
    seed: Number.MAX_SAFE_INTEGER,
    parameters: { user: 'u' },
    ...changes,
  })
}

function settlement(changes: Partial<Settlement>): Settlement {
  return {
    outcome: 'completed',
    promptTokens: 11,
    cachedTokens: 0,
    completionTokens: 5,
    ...changes,
  }
}

function hours(): Promise<UsageSumsRow[]> {
  return database.read(
    queries
      .selectFrom('usage_sums')
      .selectAll()
      .where('account_id', '=', 'acct_1')
      .where('span', '=', 'hour')
      .where('key_id', '!=', '')
      .orderBy('begin_ms'),
  )
}
