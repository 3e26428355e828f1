import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import { Idempotency, newClaim, ReplyRecorder } from '../../src/completions/once/idempotency.ts'
import type { Database } from '../../src/storage/database.ts'
import {
  inspectLedger,
  type LedgerInspection,
} from '../../src/storage/inspection/inspect-ledger.ts'
import { inspectPostgres } from '../../src/storage/inspection/inspect-postgres.ts'
import { Ledger } from '../../src/usage/ledger.ts'
import { useDatabases } from '../support/databases.ts'
import { ledgerEntry } from '../support/ledger-entry.ts'

const hourMs = 3_600_000
const noonMs = Date.UTC(2026, 5, 15, 12)
const head = { id: 'chatcmpl-1', created: 1, model: 'svc-o1-mini', fingerprint: 'fp_1' }

const databases = useDatabases()
let database: Database
let ledger: Ledger

beforeEach(async () => {
  database = await databases.open()
  ledger = Ledger.open(database, 'boot_1')
  await settle('req_1', noonMs - 2 * hourMs)
  await settle('req_2', noonMs - hourMs)
  await settle('req_3', noonMs - hourMs + 1)
  await keepReply('req_4', noonMs)
})

describe('on a live database', () => {
  test('a ledger without violations has no faults, open entries and refusals included (I1, I2, I3, I4, I6)', async () => {
    await ledger.reserve(ledgerEntry('req_open', { createdMs: noonMs }))
    for (let i = 0; i < 40; i++)
      ledger.refuse(ledgerEntry(`req_refused_${i}`, { createdMs: noonMs }), refused)
    await ledger.close()
    expect(ledger.receiptsLeftOut).toBeGreaterThan(0)
    expect(await inspect()).toMatchObject({ faults: [], open: 1, isWhole: true })
  })

  test.each([
    ['I1', 'settled without an outcome', `update usage set outcome = null where ${is('req_2')}`],
    [
      'I1',
      'completed without tokens',
      `update usage set completion_tokens = null where ${is('req_4')}`,
    ],
    [
      'I1',
      'other usage than a kept reply',
      `update usage set completion_tokens = 4 where ${is('req_4')}`,
    ],
    ['I2', 'a key that nobody holds', `update idempotency set reply = null where ${is('req_4')}`],
    [
      'I3',
      'sums of an hour that are too high',
      `update usage_sums set prompt_tokens = prompt_tokens + 1`,
    ],
    ['I3', 'sums of an hour that are too low', `update usage_sums set requests = requests - 1`],
    ['I3', 'an entry that is not in the sums', `delete from usage_sums where begin_ms = ${noonMs}`],
    ['I3', 'sums whose entry is missing', `delete from usage where ${is('req_3')}`],
    ['I3', 'spans that differ', `update usage_sums set errors = 1 where span = 'month'`],
    ['I4', 'more tokens than admitted', `update usage set max_tokens = 4 where ${is('req_2')}`],
    [
      'I6',
      'more cached than prompt tokens',
      `update usage set cached_tokens = 12 where ${is('req_2')}`,
    ],
    ['I6', 'a negative count', `update usage set prompt_tokens = -1 where ${is('req_2')}`],
  ])('%s: %s is found', async (invariant, _name, violation) => {
    await change(violation)
    const { faults } = await inspect()
    expect(faults.map((fault) => fault.invariant)).toContain(invariant)
    for (const { remedy } of faults) expect(remedy).not.toBe('')
  })

  test('I2: an entry that is open for too long is found while a service runs; without one it waits for the start', async () => {
    await ledger.reserve(ledgerEntry('req_open', { createdMs: noonMs - 25 * 60_000 }))
    const [fault] = (await inspect()).faults
    expect(fault).toMatchObject({ invariant: 'I2' })
    expect(fault?.text).toMatch(
      /^has entries that have been open for more than 22 minutes: req_open$/,
    )
    expect(fault?.remedy).toMatch(/^Restart the service/)
    expect((await inspect({ isServed: false })).faults).toEqual([])
  })
})

test('a kept reply may have U+0000 and half a surrogate pair (I1)', async () => {
  await keepReply('req_5', noonMs, 'a \u0000 and \ud83d')
  expect((await inspect()).faults).toEqual([])
  await change(`update usage set completion_tokens = 4 where ${is('req_5')}`)
  const texts = (await inspect()).faults.map(({ text }) => text)
  expect(texts).toContain('has kept replies whose usage is not that of their entry: req_5')
})

test('the first places of a fault are named, and that there are others', async () => {
  await change('update usage set max_tokens = 1')
  const texts = (await inspect()).faults.map(({ text }) => text)
  expect(texts).toContain(
    'has entries with more completion tokens than the request admitted: req_4, req_2, req_3 and others',
  )
})

test('the newest hours are checked first, and no further one is begun when the time is over', async () => {
  expect(await inspect({ budgetMs: -1 })).toMatchObject({ isWhole: false, sinceMs: undefined })
  expect(await inspect()).toMatchObject({ isWhole: true, sinceMs: noonMs - 2 * hourMs })
})

test.each([
  ['the newest hour', '2026-06-15T12Z'],
  ['an hour between others', '2026-06-15T11Z'],
])('I3: lost entries of %s are found', async (_, hour) => {
  const beginMs = Date.parse(hour.replace('Z', ':00Z'))
  await change(
    `delete from usage where created_ms >= ${beginMs} and created_ms < ${beginMs + hourMs}`,
  )
  const { faults } = await inspect()
  expect(faults.map(({ text }) => text)).toContain(
    `has hours with tokens in their sums and no entries: ${hour}`,
  )
})

test('I3: a ledger that has lost all its entries is no whole one', async () => {
  await change('delete from usage')
  const { faults } = await inspect()
  expect(faults.map(({ invariant }) => invariant)).toContain('I3')
})

test('entries that retention has deleted from the oldest hour are no fault', async () => {
  await settle('req_5', noonMs - 2 * hourMs + 1)
  await change(`delete from usage where ${is('req_1')}`)
  expect((await inspect()).faults).toEqual([])
})

const refused = {
  outcome: 'refused',
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
  error: { code: 'context_length_exceeded' },
} as const
const usage = { promptTokens: 11, cachedTokens: 0, completionTokens: 5 }

function is(requestId: string): string {
  return `request_id = '${requestId}'`
}

/** Changes the database as another program would. */
async function change(sql: string): Promise<void> {
  const url = databases.environment.PIPIT_DATABASE_URL
  if (url === '') {
    const file = new Sqlite(join(databases.dataDir, 'pipit.db'))
    file.exec(sql)
    return void file.close()
  }
  const client = new pg.Client(url)
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

async function inspect({ isServed = true, budgetMs = 60_000 } = {}): Promise<LedgerInspection> {
  const url = databases.environment.PIPIT_DATABASE_URL
  const options = { nowMs: noonMs, budgetMs }
  if (url === '') return inspectLedger(databases.dataDir, { ...options, isServed })
  await change(
    isServed
      ? `insert into replicas (id, address, started_ms, heartbeat_ms) values ('boot_1', 'a', 0, pipit_now())
          on conflict do nothing`
      : 'delete from replicas',
  )
  const { ledger } = await inspectPostgres(url, options)
  if (ledger === undefined || ledger instanceof Error)
    throw new Error('no ledger', { cause: ledger })
  return ledger
}

async function settle(requestId: string, createdMs: number): Promise<void> {
  const entry = ledgerEntry(requestId, { createdMs })
  await ledger.reserve(entry)
  await ledger.settle(entry, { outcome: 'completed', ...usage })
}

/** Settles a request whose reply is kept under an idempotency key, as a completion does. */
async function keepReply(requestId: string, createdMs: number, text = 'Hello'): Promise<void> {
  const entry = ledgerEntry(requestId, { createdMs })
  const claim = newClaim('acct_1', 'chat.completions', requestId, {})
  const recorder = new ReplyRecorder(head)
  recorder.add({ type: 'delta', index: 0, text })
  await ledger.reserve(entry, claim)
  await ledger.settle(entry, { outcome: 'completed', ...usage }, { reply: recorder.toReply(usage) })
  expect(await new Idempotency(ledger).findReply(claim)).toMatchObject({ head })
}
