import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { ensureDefaultAccount } from '../../src/accounts/accounts.ts'
import {
  createApiKey,
  editApiKey,
  revokeApiKey,
  rotateApiKey,
} from '../../src/accounts/api-key-store.ts'
import { editAccount } from '../../src/people/edit-account.ts'
import { auditDays, auditEntriesMax } from '../../src/storage/audit/audit-limits.ts'
import { listAudit, recordAudit, serviceActor } from '../../src/storage/audit/audit-log.ts'
import type { Database } from '../../src/storage/database.ts'
import { queries, rawQuery, toStatement } from '../../src/storage/statement.ts'
import { silentLogger } from '../../src/telemetry/logger.ts'
import { ExpiryClock } from '../../src/usage/upkeep/expiry-clock.ts'
import { Retention } from '../../src/usage/upkeep/retention.ts'
import { useDatabases } from '../support/databases.ts'

const dayMs = 86_400_000
const nowMs = Date.UTC(2026, 0, 2, 12)
const ada = { userId: 'user_1', name: 'ada@example.com' }

const databases = useDatabases()
let database: Database
let accountId: string
beforeEach(async () => {
  database = await databases.open()
  accountId = (await ensureDefaultAccount(database)).id
})

test('each change of a key has an entry with its author and its values, without secrets', async () => {
  const wanted = { accountId, name: 'laptop', limits: { tokensPerDay: 100 } }
  const { id, key } = await createApiKey(database, wanted, nowMs, ada)
  await editApiKey(database, id, { name: 'laptop', limits: { tokensPerDay: null } }, nowMs + 1, ada)
  const rotated = await rotateApiKey(database, id, 0, nowMs + 2, ada)
  await revokeApiKey(database, id, nowMs + 3, ada)
  await revokeApiKey(database, id, nowMs + 4, ada)
  const entries = await listAudit(database, 10)
  expect(entries.map(({ action, before, after }) => [action, parse(before), parse(after)])).toEqual(
    [
      ['key.revoke', null, null],
      [
        'key.rotate',
        { last_chars: key.slice(-4) },
        { last_chars: rotated.key.slice(-4), grace_ms: 0 },
      ],
      ['key.edit', { tokens_per_day: 100 }, { tokens_per_day: null }],
      ['key.create', null, { name: 'laptop', tokens_per_day: 100 }],
    ],
  )
  for (const entry of entries)
    expect(entry).toMatchObject({
      actor: 'ada@example.com',
      actor_user_id: 'user_1',
      account_id: accountId,
      target_id: id,
      target_name: 'laptop',
    })
  for (const secret of [key, rotated.key]) expect(JSON.stringify(entries)).not.toContain(secret)
})

test('a change that is refused has no entry', async () => {
  await expect(createApiKey(database, { accountId, name: '' }, nowMs, ada)).rejects.toThrow(
    'Enter a name',
  )
  await expect(editApiKey(database, 'key_none', { name: 'x' }, nowMs, ada)).rejects.toThrow(
    'no API key',
  )
  await expect(revokeApiKey(database, 'key_none', nowMs, ada)).rejects.toThrow('no API key')
  await expect(editAccount(database, accountId, { name: '' }, nowMs, ada)).rejects.toThrow(
    'Enter a name',
  )
  expect(await listAudit(database, 10)).toEqual([])
})

test('an edit that changes nothing has no entry', async () => {
  const { id } = await createApiKey(database, { accountId, name: 'laptop' }, nowMs, ada)
  await editApiKey(database, id, { name: 'laptop', limits: { tokensPerDay: null } }, nowMs, ada)
  await editAccount(database, accountId, { limits: { tokensPerDay: null } }, nowMs, ada)
  expect((await listAudit(database, 10)).map(({ action }) => action)).toEqual(['key.create'])
})

test('an edit of an account has its limits before and after', async () => {
  await editAccount(database, accountId, { limits: { tokensPerDay: 5 } }, nowMs, ada)
  await editAccount(database, accountId, { limits: { tokensPerDay: 6 } }, nowMs + 1, ada)
  const [latest] = await listAudit(database, 1)
  expect([parse(latest?.before ?? null), parse(latest?.after ?? null)]).toEqual([
    { tokens_per_day: 5 },
    { tokens_per_day: 6 },
  ])
})

test('the log is listed in pages', async () => {
  const target = { id: 'user_2', name: 'bob@example.com' }
  const entry = { by: serviceActor, action: 'user.create', accountId: null, target } as const
  for (let day = 0; day < 5; day++) await database.write(recordAudit(entry, nowMs + day * dayMs))
  const first = await listAudit(database, 2)
  const rest = await listAudit(database, 9, first.at(-1)?.id)
  expect([...first, ...rest].map(({ at_ms }) => (at_ms - nowMs) / dayMs)).toEqual([4, 3, 2, 1, 0])
})

test('entries that are too old by the clock of the receipts are deleted, whatever the wall clock says', async () => {
  const target = { id: 'user_2', name: 'bob@example.com' }
  const entry = { by: serviceActor, action: 'user.create', accountId: null, target } as const
  for (let day = 0; day < 5; day++) await database.write(recordAudit(entry, nowMs + day * dayMs))
  const days = async () =>
    (await listAudit(database, 9)).map(({ at_ms }) => (at_ms - nowMs) / dayMs)
  await database.write(recordAudit(entry, nowMs + (auditDays + 9) * dayMs))
  await sweep(nowMs + 5 * dayMs)
  expect(await days()).toEqual([auditDays + 9, 4, 3, 2, 1, 0])
  await sweep(nowMs + (auditDays + 3) * dayMs)
  expect(await days()).toEqual([auditDays + 9, 4, 3])
})

test('beyond the maximum, the oldest entries of the author of most entries are deleted', async () => {
  const target = { id: 'key_1', name: 'laptop' }
  const entry = { action: 'key.edit', accountId, target } as const
  await database.write(recordAudit({ by: ada, ...entry }, nowMs))
  await database.write(recordAudit({ by: serviceActor, ...entry }, nowMs))
  const edit = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${auditEntriesMax - 2})
    insert into audit_log (id, at_ms, actor_user_id, actor, action, account_id, target_id, target_name)
    select 'audit_00' || (i + 1000000), ${nowMs}, 'user_2', 'bob@example.com', 'key.edit', ${accountId}, 'key_1', 'laptop'
    from n`
  await database.write([toStatement(rawQuery(edit))])
  for (let i = 2; i < 5; i++)
    await database.write(
      recordAudit({ by: { userId: 'user_2', name: 'bob' }, ...entry }, nowMs + i),
    )
  const counts = await database.read(
    queries
      .selectFrom('audit_log')
      .select(['actor', ({ fn }) => fn.countAll<number>().as('entries')])
      .groupBy('actor')
      .orderBy('entries')
      .orderBy('actor'),
  )
  expect(counts.slice(0, 3)).toEqual([
    { actor: 'ada@example.com', entries: 1 },
    { actor: 'service', entries: 1 },
    { actor: 'bob', entries: 3 },
  ])
  expect(counts[3]?.entries).toBeLessThanOrEqual(auditEntriesMax - 5)
  expect(counts[3]?.entries).toBeGreaterThan(auditEntriesMax * 0.98)
})

/** Runs the retention by a clock that has this time. */
async function sweep(atMs: number): Promise<void> {
  const atExpiry = { name: 'expiry', at_ms: atMs } as const
  const keep = queries.insertInto('service_times').values(atExpiry)
  const saved = keep.onConflict((row) => row.column('name').doUpdateSet({ at_ms: atMs }))
  await database.write([toStatement(saved)])
  const options = { logger: silentLogger, now: () => atMs }
  const clock = await ExpiryClock.open(database, options)
  const retention = Retention.start(database, { receiptDays: 30, logger: silentLogger, clock })
  await retention.sweep()
  await retention.close()
}

function parse(text: string | null): unknown {
  return text === null ? null : JSON.parse(text)
}
