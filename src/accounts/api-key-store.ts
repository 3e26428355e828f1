import { randomBytes } from 'node:crypto'
import { sql, type Updateable } from 'kysely'
import { ServiceError } from '../errors.ts'
import type { LimitChanges, Limits } from '../key-limits.ts'
import { apiKeysMax, apiKeysOfAccountMax, apiKeysRevokedKeptMax, timeMsMax } from '../limits.ts'
import { type Actor, differences, recordAudit, serviceActor } from '../storage/audit/audit-log.ts'
import type { Database } from '../storage/database.ts'
import { queries, rawQuery, type Statement, template, toStatement } from '../storage/statement.ts'
import type { ApiKeyRow } from '../storage/tables.ts'
import { parseScopes, toLimitColumns, toLimits, toScopes } from './allowance.ts'
import type { Scope } from './scopes.ts'
import { digestOf, endOfKey, generateApiKey, hintOf } from './api-key-text.ts'
import { parseName } from './name.ts'
import { type WrittenKey, writeKey } from './write-key.ts'

export type ApiKeyRecord = {
  id: string
  accountId: string
  name: string
  /** `sk-pipit-…` and the last four characters of the key; undefined for a key created before schema 11. */
  hint: string | undefined
  state: 'active' | 'expired' | 'revoked'
  scopes: readonly Scope[]
  limits: Limits
  createdMs: number
  expiresMs: number | undefined
  /** End of the grace period of the last rotation; undefined if it has passed. */
  previousExpiresMs: number | undefined
  lastUsedMs: number | undefined
}

export type NewApiKey = {
  accountId: string
  name: string
  expiresMs?: number
  /** All scopes if absent. */
  scopes?: readonly string[]
  limits?: LimitChanges
}

/** The author of a change. If `accountId` is set, the author may change only the keys of that account. */
export type KeyAuthor = Actor & { accountId?: string }

/** A key right after it was created or rotated. Only this value holds its text, which is stored nowhere. */
export type IssuedKey = { id: string; key: string; row: WrittenKey }

/** Absent members stay unchanged; null removes the expiry. */
export type ApiKeyChanges = {
  name?: string
  expiresMs?: number | null
  scopes?: readonly string[]
  limits?: LimitChanges
}

/** @throws ServiceError invalid_value, too_many_keys, ledger_unavailable */
export async function createApiKey(
  database: Database,
  wanted: NewApiKey,
  nowMs: number,
  by: Actor = serviceActor,
): Promise<IssuedKey> {
  const key = generateApiKey()
  const id = `key_${randomBytes(12).toString('hex')}`
  const { accountId } = wanted
  const columns = toColumns(wanted, nowMs)
  const insert = insertIfRoom(accountId, {
    id,
    account_id: accountId,
    digest: digestOf(key),
    last_chars: endOfKey(key),
    created_ms: nowMs,
    ...columns,
  })
  const audit = recordAudit(
    {
      by,
      action: 'key.create',
      accountId,
      target: { id, name: columns.name ?? '' },
      after: { ...columns },
    },
    nowMs,
  )
  const row = await writeKey(database, insert, [dropEarliestRevoked(accountId), ...audit])
  if (row === undefined) throw await tooManyKeys(database, accountId)
  return { id, key, row }
}

/** Returns all keys, oldest first, including revoked and expired ones. */
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
    hint: row.last_chars === null ? undefined : hintOf(row.last_chars),
    state: stateOf(row, nowMs),
    scopes: toScopes(row.scopes),
    limits: toLimits(row),
    createdMs: row.created_ms,
    expiresMs: row.expires_ms ?? undefined,
    previousExpiresMs: graceEndMs(row, nowMs),
    lastUsedMs: row.last_used_ms ?? undefined,
  }
}

/**
 * Revokes a key. A second call changes nothing.
 * @throws ServiceError not_found, ledger_unavailable
 */
export async function revokeApiKey(
  database: Database,
  id: string,
  nowMs: number,
  by: KeyAuthor = serviceActor,
): Promise<WrittenKey> {
  const row = await requireKey(database, id, by)
  const revoke = queries
    .updateTable('api_keys')
    .set((eb) => ({ revoked_ms: eb.fn.coalesce('revoked_ms', eb.val(nowMs)) }))
    .where('id', '=', id)
  const audit = recordAudit(
    { by, action: 'key.revoke', accountId: row.account_id, target: { id, name: row.name } },
    nowMs,
  )
  const steps = row.revoked_ms === null ? audit : []
  const written = await writeKey(database, toStatement(revoke), steps, 'essential')
  if (written === undefined) throw noSuchKey(id, by)
  return written
}

/**
 * Changes a key. The change applies to new requests within a second.
 * @throws ServiceError invalid_value, not_found, key_revoked, ledger_unavailable
 */
export async function editApiKey(
  database: Database,
  id: string,
  changes: ApiKeyChanges,
  nowMs: number,
  by: KeyAuthor = serviceActor,
): Promise<WrittenKey> {
  const row = await requireKey(database, id, by)
  const columns = toColumns(changes, nowMs)
  if (Object.keys(columns).length === 0)
    throw new ServiceError('invalid_value', 'There is nothing to change. Give at least one change.')
  assertUnrevoked(row)
  const edit = queries.updateTable('api_keys').set(columns).where('id', '=', id)
  const audit = recordAudit(
    {
      by,
      action: 'key.edit',
      accountId: row.account_id,
      target: { id, name: row.name },
      ...differences(row, columns),
    },
    nowMs,
  )
  const written = await writeKey(database, toStatement(edit), audit)
  if (written === undefined) throw noSuchKey(id, by)
  return written
}

/**
 * Replaces the text of a key; its id, limits and usage stay. The old text works until the grace period ends.
 * @throws ServiceError invalid_value (the key has expired, or the grace period of an earlier rotation has not ended),
 * not_found, key_revoked, key_changed, ledger_unavailable
 */
export async function rotateApiKey(
  database: Database,
  id: string,
  graceMs: number,
  nowMs: number,
  by: KeyAuthor = serviceActor,
): Promise<IssuedKey> {
  const row = await requireKey(database, id, by)
  assertUnrevoked(row)
  assertRotatable(row, graceMs, nowMs)
  const key = generateApiKey()
  const rotate = queries
    .updateTable('api_keys')
    .set({
      digest: digestOf(key),
      last_chars: endOfKey(key),
      previous_digest: graceMs > 0 ? row.digest : null,
      previous_expires_ms: graceMs > 0 ? nowMs + graceMs : null,
    })
    .where('id', '=', id)
    .where('digest', '=', row.digest)
    .where('revoked_ms', 'is', null)
  const audit = recordAudit(
    {
      by,
      action: 'key.rotate',
      accountId: row.account_id,
      target: { id, name: row.name },
      before: { last_chars: row.last_chars },
      after: { last_chars: endOfKey(key), grace_ms: graceMs },
    },
    nowMs,
  )
  const written = await writeKey(database, toStatement(rotate), audit)
  if (written === undefined)
    throw new ServiceError(
      'key_changed',
      `The API key ${id} was changed at the same time. Check it and try again.`,
    )
  return { id, key, row: written }
}

export const setLastUsed = template<{ id: string; nowMs: number }>((value) =>
  queries
    .updateTable('api_keys')
    .set({ last_used_ms: value('nowMs') })
    .where('id', '=', value('id')),
)

/**
 * Builds a single statement, so that concurrent creations of one service cannot exceed a maximum. Services that share a
 * PostgreSQL database may exceed it by what they create at the same moment.
 */
function insertIfRoom(accountId: string, row: Updateable<ApiKeyRow>): Statement {
  const columns = Object.keys(row).map((name) => sql.ref(name))
  const values = Object.values(row).map((value) => sql.val(value))
  const insert = sql`insert into api_keys (${sql.join(columns)}) select ${sql.join(values)}
    where (select count(*) from api_keys where revoked_ms is null) < ${apiKeysMax}
    and (select count(*) from api_keys where revoked_ms is null and account_id = ${accountId}) < ${apiKeysOfAccountMax}`
  return toStatement(rawQuery(insert))
}

function dropEarliestRevoked(accountId: string): Statement {
  const revoked = queries
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .where('revoked_ms', 'is not', null)
  const beyond = revoked
    .orderBy('revoked_ms', 'desc')
    .orderBy('id')
    .limit(apiKeysMax)
    .offset(apiKeysRevokedKeptMax)
  return toStatement(queries.deleteFrom('api_keys').where('id', 'in', beyond))
}

async function tooManyKeys(database: Database, accountId: string): Promise<ServiceError> {
  const [count] = await database.read(
    queries
      .selectFrom('api_keys')
      .select(({ fn }) => fn.countAll<number>().as('keys'))
      .where('account_id', '=', accountId)
      .where('revoked_ms', 'is', null),
  )
  const ofAccount = (count?.keys ?? 0) >= apiKeysOfAccountMax
  return new ServiceError(
    'too_many_keys',
    `${ofAccount ? `This account already has ${apiKeysOfAccountMax}` : `The service already has ${apiKeysMax}`} API keys. Revoke one that is no longer used.`,
  )
}

/** @throws ServiceError invalid_value */
function toColumns(wanted: ApiKeyChanges, nowMs: number): Updateable<ApiKeyRow> {
  if (wanted.expiresMs != null && wanted.expiresMs <= nowMs)
    throw new ServiceError('invalid_value', 'The expiry is in the past. Enter a later time.', {
      param: 'expires_ms',
    })
  if (wanted.expiresMs != null && wanted.expiresMs > timeMsMax)
    throw new ServiceError(
      'invalid_value',
      'The expiry is after the year 9999. Enter an earlier time.',
      {
        param: 'expires_ms',
      },
    )
  return {
    ...(wanted.name === undefined ? {} : { name: parseName(wanted.name) }),
    ...(wanted.expiresMs === undefined ? {} : { expires_ms: wanted.expiresMs }),
    ...(wanted.scopes === undefined ? {} : { scopes: parseScopes(wanted.scopes).join(' ') }),
    ...toLimitColumns(wanted.limits ?? {}),
  }
}

/** @throws ServiceError invalid_value */
function assertRotatable(row: ApiKeyRow, graceMs: number, nowMs: number): void {
  if (stateOf(row, nowMs) === 'expired')
    throw new ServiceError(
      'invalid_value',
      `The API key ${row.id} has expired. Set a later expiry first.`,
    )
  const endMs = graceEndMs(row, nowMs)
  if (graceMs > 0 && endMs !== undefined)
    throw new ServiceError(
      'invalid_value',
      `The API key ${row.id} was rotated before, and its old key is valid until ${new Date(endMs).toISOString()}. ` +
        'Wait until then, or rotate with a grace period of 0, which ends both old keys now.',
    )
}

/** @throws ServiceError key_revoked */
function assertUnrevoked({ id, revoked_ms: revokedMs }: ApiKeyRow): void {
  if (revokedMs === null) return
  throw new ServiceError('key_revoked', `The API key ${id} is revoked. Create another one.`)
}

/** @throws ServiceError not_found */
async function requireKey(database: Database, id: string, by: KeyAuthor): Promise<ApiKeyRow> {
  const [row] = await database.read(queries.selectFrom('api_keys').selectAll().where('id', '=', id))
  if (row === undefined || (by.accountId !== undefined && row.account_id !== by.accountId))
    throw noSuchKey(id, by)
  return row
}

/** Another account's key looks the same as one that does not exist. */
export function notOwnKey(): ServiceError {
  return new ServiceError('not_found', 'This account has no such API key.', { param: 'id' })
}

function noSuchKey(id: string, { accountId }: KeyAuthor): ServiceError {
  if (accountId !== undefined) return notOwnKey()
  return new ServiceError('not_found', `There is no API key ${JSON.stringify(id)}.`, {
    param: 'id',
  })
}

function graceEndMs({ previous_expires_ms: endMs }: ApiKeyRow, nowMs: number): number | undefined {
  return endMs !== null && endMs > nowMs ? endMs : undefined
}

function stateOf(row: ApiKeyRow, nowMs: number): ApiKeyRecord['state'] {
  if (row.revoked_ms !== null) return 'revoked'
  return row.expires_ms !== null && row.expires_ms <= nowMs ? 'expired' : 'active'
}
