import { createHash, randomBytes } from 'node:crypto'
import { setUpLinkMs } from '../sign-in-limits.ts'
import type { Database } from '../storage/database.ts'
import { queries, type Statement, toStatement } from '../storage/statement.ts'
import type { OneTimeLinkRow } from '../storage/tables.ts'

export type OneTimeLink = Pick<OneTimeLinkRow, 'id' | 'purpose' | 'user_id' | 'email' | 'role'>
type Wanted = Pick<OneTimeLinkRow, 'purpose'> &
  Partial<Pick<OneTimeLinkRow, 'user_id' | 'email' | 'role'>>

/** A new link and the statement that stores it. Only the link holds the secret; the database holds its digest. */
type NewLink = { id: string; secret: string; expiresMs: number; insert: Statement }

export function newLink(wanted: Wanted, nowMs: number, validMs: number): NewLink {
  const secret = randomBytes(24).toString('base64url')
  const id = `link_${randomBytes(12).toString('hex')}`
  const expiresMs = nowMs + validMs
  const row = { id, digest: digestOf(secret), created_ms: nowMs, expires_ms: expiresMs, ...wanted }
  return { id, secret, expiresMs, insert: toStatement(insertLink(row)) }
}

/** Returns undefined for a link that has expired, was used or never existed. */
export async function findLink(
  database: Database,
  purpose: OneTimeLink['purpose'],
  secret: string,
  nowMs: number,
): Promise<OneTimeLink | undefined> {
  const [row] = await database.read(
    queries
      .selectFrom('one_time_links')
      .select(['id', 'purpose', 'user_id', 'email', 'role'])
      .where('digest', '=', digestOf(secret))
      .where('purpose', '=', purpose)
      .where('expires_ms', '>', nowMs),
  )
  return row
}

/**
 * Uses up the link and writes `steps` in the same transaction. Returns 0 and writes nothing if the link has been used
 * in the meantime.
 * @throws ServiceError ledger_unavailable
 */
export function writeWithLink(
  database: Database,
  { id }: OneTimeLink,
  steps: readonly Statement[],
): Promise<number> {
  const use = queries.deleteFrom('one_time_links').where('id', '=', id)
  return database.writeGuarded({ guard: toStatement(use), steps, additions: [] })
}

export function dropExpiredLinks(nowMs: number): Statement {
  return toStatement(queries.deleteFrom('one_time_links').where('expires_ms', '<=', nowMs))
}

/**
 * Creates the link with which the first user is created. It replaces earlier ones.
 * @returns its secret, or undefined if a user exists
 */
export async function createSetUpLink(
  database: Database,
  nowMs: number,
): Promise<string | undefined> {
  if (await hasUsers(database)) return undefined
  const dropOthers = queries.deleteFrom('one_time_links').where('purpose', '=', 'setup')
  const { secret, insert } = newLink({ purpose: 'setup', role: 'admin' }, nowMs, setUpLinkMs)
  await database.write([toStatement(dropOthers), insert])
  return secret
}

export async function hasUsers(database: Database): Promise<boolean> {
  const rows = await database.read(queries.selectFrom('users').select('id').limit(1))
  return rows.length > 0
}

function insertLink(row: Wanted & Omit<OneTimeLinkRow, keyof Wanted>) {
  const { user_id = null, email = null, role = null, ...others } = row
  return queries.insertInto('one_time_links').values({ ...others, user_id, email, role })
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
