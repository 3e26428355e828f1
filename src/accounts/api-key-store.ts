import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { ServiceError } from '../errors.ts'
import { apiKeysMax, nameBytesMax, nameCharsMax } from '../limits.ts'
import type { Database } from '../storage/database.ts'
import { queries, template, toStatement } from '../storage/statement.ts'
import type { ApiKeyRow } from '../storage/tables.ts'
import { digestOf, generateApiKey } from './api-key-text.ts'

export type ApiKeyRecord = {
  id: string
  accountId: string
  name: string
  state: 'active' | 'expired' | 'revoked'
  createdMs: number
  expiresMs: number | undefined
  lastUsedMs: number | undefined
}

export type NewApiKey = { accountId: string; name: string; expiresMs?: number }

/**
 * The key itself is in the result and nowhere else.
 * @throws ServiceError invalid_value (the name, or too many keys), ledger_unavailable
 */
export async function createApiKey(
  database: Database,
  wanted: NewApiKey,
  nowMs: number,
): Promise<{ id: string; key: string }> {
  const name = parseName(wanted.name)
  const key = generateApiKey()
  const id = `key_${randomBytes(12).toString('hex')}`
  const row = {
    id,
    account_id: wanted.accountId,
    name,
    digest: digestOf(key),
    created_ms: nowMs,
    expires_ms: wanted.expiresMs ?? null,
  }
  const inserted = await database.write({ steps: [toStatement(insertIfRoom(row))] })
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
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    state: stateOf(row, nowMs),
    createdMs: row.created_ms,
    expiresMs: row.expires_ms ?? undefined,
    lastUsedMs: row.last_used_ms ?? undefined,
  }))
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
  if (found === 0)
    throw new ServiceError('invalid_value', `There is no API key ${JSON.stringify(id)}.`, {
      param: 'id',
    })
}

export const setLastUsed = template<{ id: string; nowMs: number }>((value) =>
  queries
    .updateTable('api_keys')
    .set({ last_used_ms: value('nowMs') })
    .where('id', '=', value('id')),
)

/** Those that can still be used, or could when they were read. */
export function selectUsable() {
  return queries
    .selectFrom('api_keys')
    .select(['id', 'account_id', 'digest', 'expires_ms', 'last_used_ms'])
    .where('revoked_ms', 'is', null)
}

function insertIfRoom(row: Omit<ApiKeyRow, 'scopes' | 'revoked_ms' | 'last_used_ms'>) {
  const room = queries
    .selectFrom('api_keys')
    .select((eb) => eb(eb.fn.countAll<number>(), '<', apiKeysMax).as('room'))
    .where('revoked_ms', 'is', null)
  return queries
    .insertInto('api_keys')
    .columns(['id', 'account_id', 'name', 'digest', 'created_ms', 'expires_ms'])
    .expression(
      queries
        .selectNoFrom([
          sql<string>`${row.id}`.as('id'),
          sql<string>`${row.account_id}`.as('account_id'),
          sql<string>`${row.name}`.as('name'),
          sql<string>`${row.digest}`.as('digest'),
          sql<number>`${row.created_ms}`.as('created_ms'),
          sql<number | null>`${row.expires_ms}`.as('expires_ms'),
        ])
        .where(() => sql<boolean>`${room}`),
    )
}

function stateOf(row: ApiKeyRow, nowMs: number): ApiKeyRecord['state'] {
  if (row.revoked_ms !== null) return 'revoked'
  return row.expires_ms !== null && row.expires_ms <= nowMs ? 'expired' : 'active'
}

/** @throws ServiceError invalid_value */
function parseName(text: string): string {
  const name = text.normalize('NFC').trim()
  const chars = [...new Intl.Segmenter().segment(name)].length
  if (chars === 0) throw invalidName('The name is empty: give one, such as `laptop`.')
  if (chars > nameCharsMax || Buffer.byteLength(name) > nameBytesMax)
    throw invalidName(`The name is too long: at most ${nameCharsMax} characters.`)
  // Control and direction marks could make one name look like another.
  if (!name.isWellFormed() || /[\p{C}\p{Zl}\p{Zp}]/u.test(name))
    throw invalidName('The name holds a character that cannot be printed: leave it out.')
  return name
}

function invalidName(message: string): ServiceError {
  return new ServiceError('invalid_value', message, { param: 'name' })
}
