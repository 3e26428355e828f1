import { randomBytes } from 'node:crypto'
import { sql, type Updateable } from 'kysely'
import { ServiceError } from '../errors.ts'
import { apiKeysMax } from '../limits.ts'
import type { Database } from '../storage/database.ts'
import { queries, type Statement, template, toStatement } from '../storage/statement.ts'
import type { ApiKeyRow } from '../storage/tables.ts'
import {
  type LimitChanges,
  type Limits,
  parseScopes,
  type Scope,
  toLimitColumns,
  toLimits,
  toScopes,
} from './allowance.ts'
import { digestOf, generateApiKey } from './api-key-text.ts'
import { parseName } from './name.ts'

export type ApiKeyRecord = {
  id: string
  accountId: string
  name: string
  state: 'active' | 'expired' | 'revoked'
  scopes: readonly Scope[]
  limits: Limits
  createdMs: number
  expiresMs: number | undefined
  /** Until when the key before the last rotation is good, too. */
  previousExpiresMs: number | undefined
  lastUsedMs: number | undefined
}

export type NewApiKey = {
  accountId: string
  name: string
  expiresMs?: number
  /** Without them: all. */
  scopes?: readonly string[]
  limits?: LimitChanges
}

/** What is absent stays as it is. */
export type ApiKeyChanges = {
  name?: string
  expiresMs?: number | null
  scopes?: readonly string[]
  limits?: LimitChanges
}

/**
 * The key itself is in the result and nowhere else.
 * @throws ServiceError invalid_value (what is wanted, or too many keys), ledger_unavailable
 */
export async function createApiKey(
  database: Database,
  wanted: NewApiKey,
  nowMs: number,
): Promise<{ id: string; key: string }> {
  const columns = toColumns(wanted, nowMs)
  const key = generateApiKey()
  const id = `key_${randomBytes(12).toString('hex')}`
  const row = { id, account_id: wanted.accountId, digest: digestOf(key), created_ms: nowMs }
  const inserted = await database.write({
    steps: [toStatement(insertIfRoom(row)), edit(id, columns)],
  })
  if (inserted === 0)
    throw new ServiceError(
      'invalid_value',
      `There are ${apiKeysMax} API keys already: revoke one that is no longer used.`,
    )
  return { id, key }
}

/** Oldest first; revoked and expired ones too. */
export async function listApiKeys(database: Database, nowMs: number): Promise<ApiKeyRecord[]> {
  const rows = await database.read(
    queries.selectFrom('api_keys').selectAll().orderBy('created_ms').orderBy('id'),
  )
  return rows.map((row) => toRecord(row, nowMs))
}

export function toRecord(row: ApiKeyRow, nowMs: number): ApiKeyRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    state: stateOf(row, nowMs),
    scopes: toScopes(row.scopes),
    limits: toLimits(row),
    createdMs: row.created_ms,
    expiresMs: row.expires_ms ?? undefined,
    previousExpiresMs: isPreviousGood(row, nowMs)
      ? (row.previous_expires_ms ?? undefined)
      : undefined,
    lastUsedMs: row.last_used_ms ?? undefined,
  }
}

/**
 * A second time changes nothing.
 * @throws ServiceError invalid_value (no such key), ledger_unavailable
 */
export async function revokeApiKey(database: Database, id: string, nowMs: number): Promise<void> {
  const revoke = queries
    .updateTable('api_keys')
    .set((eb) => ({ revoked_ms: eb.fn.coalesce('revoked_ms', eb.val(nowMs)) }))
    .where('id', '=', id)
  const found = await database.write({ steps: [toStatement(revoke)], essential: true })
  if (found === 0) throw noSuchKey(id)
}

/**
 * In force within a second, for what begins then.
 * @throws ServiceError invalid_value (the changes, no such key, a revoked one), ledger_unavailable
 */
export async function editApiKey(
  database: Database,
  id: string,
  changes: ApiKeyChanges,
  nowMs: number,
): Promise<void> {
  const columns = toColumns(changes, nowMs)
  if (Object.keys(columns).length === 0)
    throw new ServiceError('invalid_value', 'Nothing is to be changed: say what, see --help.')
  await findUnrevoked(database, id)
  await database.write({ steps: [edit(id, columns)] })
}

/**
 * A new key under the same id, with its limits and all: the one before is good for so long beside it.
 * The new one is in the result and nowhere else.
 * @throws ServiceError invalid_value (no such key, a revoked or expired one, a rotation whose grace
 *   period still runs), ledger_unavailable
 */
export async function rotateApiKey(
  database: Database,
  id: string,
  graceMs: number,
  nowMs: number,
): Promise<{ id: string; key: string }> {
  const row = await findUnrevoked(database, id)
  if (stateOf(row, nowMs) === 'expired')
    throw new ServiceError(
      'invalid_value',
      `The API key ${id} has expired: give it another expiry first.`,
    )
  if (graceMs > 0 && isPreviousGood(row, nowMs))
    throw new ServiceError(
      'invalid_value',
      `The key before the last rotation of ${id} is good until ${new Date(row.previous_expires_ms ?? 0).toISOString()}, ` +
        'and there can be one such: wait until then, or rotate without a grace period, which ends both.',
    )
  const key = generateApiKey()
  const rotate = queries
    .updateTable('api_keys')
    .set({
      digest: digestOf(key),
      previous_digest: graceMs > 0 ? row.digest : null,
      previous_expires_ms: graceMs > 0 ? nowMs + graceMs : null,
    })
    .where('id', '=', id)
    .where('digest', '=', row.digest)
    .where('revoked_ms', 'is', null)
  const changed = await database.write({ steps: [toStatement(rotate)] })
  if (changed === 0)
    throw new ServiceError(
      'invalid_value',
      `The API key ${id} was changed at this moment: look at it again.`,
    )
  return { id, key }
}

export const setLastUsed = template<{ id: string; nowMs: number }>((value) =>
  queries
    .updateTable('api_keys')
    .set({ last_used_ms: value('nowMs') })
    .where('id', '=', value('id')),
)

/** Those that can still be used, or could when they were read, and what their accounts allow. */
export function selectUsable() {
  return queries
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .selectAll('api_keys')
    .where('revoked_ms', 'is', null)
    .where('accounts.disabled_ms', 'is', null)
}

export function selectAccountLimits() {
  return queries
    .selectFrom('accounts')
    .select([
      'id',
      'requests_per_minute',
      'tokens_per_minute',
      'parallel_requests',
      'tokens_per_day',
      'tokens_per_month',
    ])
}

function insertIfRoom(row: { id: string; account_id: string; digest: string; created_ms: number }) {
  const room = queries
    .selectFrom('api_keys')
    .select((eb) => eb(eb.fn.countAll<number>(), '<', apiKeysMax).as('room'))
    .where('revoked_ms', 'is', null)
  return queries
    .insertInto('api_keys')
    .columns(['id', 'account_id', 'name', 'digest', 'created_ms'])
    .expression(
      queries
        .selectNoFrom([
          sql<string>`${row.id}`.as('id'),
          sql<string>`${row.account_id}`.as('account_id'),
          sql<string>`''`.as('name'),
          sql<string>`${row.digest}`.as('digest'),
          sql<number>`${row.created_ms}`.as('created_ms'),
        ])
        .where(() => sql<boolean>`${room}`),
    )
}

function edit(id: string, columns: Updateable<ApiKeyRow>): Statement {
  return toStatement(queries.updateTable('api_keys').set(columns).where('id', '=', id))
}

/** @throws ServiceError invalid_value */
function toColumns(wanted: ApiKeyChanges, nowMs: number): Updateable<ApiKeyRow> {
  if (wanted.expiresMs != null && wanted.expiresMs <= nowMs)
    throw new ServiceError('invalid_value', 'The expiry is in the past: name a later time.', {
      param: 'expires_ms',
    })
  return {
    ...(wanted.name === undefined ? {} : { name: parseName(wanted.name) }),
    ...(wanted.expiresMs === undefined ? {} : { expires_ms: wanted.expiresMs }),
    ...(wanted.scopes === undefined ? {} : { scopes: parseScopes(wanted.scopes).join(' ') }),
    ...toLimitColumns(wanted.limits ?? {}),
  }
}

/** @throws ServiceError invalid_value */
async function findUnrevoked(database: Database, id: string): Promise<ApiKeyRow> {
  const [row] = await database.read(queries.selectFrom('api_keys').selectAll().where('id', '=', id))
  if (row === undefined) throw noSuchKey(id)
  if (row.revoked_ms === null) return row
  throw new ServiceError('invalid_value', `The API key ${id} is revoked: create another.`)
}

function noSuchKey(id: string): ServiceError {
  return new ServiceError('invalid_value', `There is no API key ${JSON.stringify(id)}.`, {
    param: 'id',
  })
}

function isPreviousGood(row: ApiKeyRow, nowMs: number): boolean {
  return row.previous_expires_ms !== null && row.previous_expires_ms > nowMs
}

function stateOf(row: ApiKeyRow, nowMs: number): ApiKeyRecord['state'] {
  if (row.revoked_ms !== null) return 'revoked'
  return row.expires_ms !== null && row.expires_ms <= nowMs ? 'expired' : 'active'
}
