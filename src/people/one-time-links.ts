import { createHash, randomBytes } from 'node:crypto'
import { setUpLinkMs } from '../limits.ts'
import type { Database } from '../storage/database.ts'
import { queries, type Statement, toStatement } from '../storage/statement.ts'
import type { OneTimeLinkRow } from '../storage/tables.ts'

export type OneTimeLink = Pick<OneTimeLinkRow, 'id' | 'purpose' | 'user_id' | 'email' | 'role'>
type Wanted = Pick<OneTimeLinkRow, 'purpose'> &
  Partial<Pick<OneTimeLinkRow, 'user_id' | 'email' | 'role'>>

/** The token is in the link and nowhere else. */
export type NewLink = { id: string; token: string; expiresMs: number; insert: Statement }

export function newLink(wanted: Wanted, nowMs: number, validMs: number): NewLink {
  const token = randomBytes(24).toString('base64url')
  const id = `link_${randomBytes(12).toString('hex')}`
  const expiresMs = nowMs + validMs
  const row = { id, digest: digestOf(token), created_ms: nowMs, expires_ms: expiresMs, ...wanted }
  return { id, token, expiresMs, insert: toStatement(insertLink(row)) }
}

/** Undefined for one that has expired, was used or never was. */
export async function findLink(
  database: Database,
  purpose: OneTimeLink['purpose'],
  token: string,
  nowMs: number,
): Promise<OneTimeLink | undefined> {
  const [row] = await database.read(
    queries
      .selectFrom('one_time_links')
      .select(['id', 'purpose', 'user_id', 'email', 'role'])
      .where('digest', '=', digestOf(token))
      .where('purpose', '=', purpose)
      .where('expires_ms', '>', nowMs),
  )
  return row
}

/** As the first step of a guarded unit: what follows takes effect for one of those who use the link. */
export function useLink({ id }: OneTimeLink): Statement {
  return toStatement(queries.deleteFrom('one_time_links').where('id', '=', id))
}

/** Those that nobody can use any more need not be kept. */
export function dropExpiredLinks(nowMs: number): Statement {
  return toStatement(queries.deleteFrom('one_time_links').where('expires_ms', '<=', nowMs))
}

/**
 * A fresh link to make the first user, which voids the ones before.
 * @returns its token; undefined once there is a user
 */
export async function createSetUpLink(
  database: Database,
  nowMs: number,
): Promise<string | undefined> {
  if (await hasUsers(database)) return undefined
  const dropOthers = queries.deleteFrom('one_time_links').where('purpose', '=', 'setup')
  const { token, insert } = newLink({ purpose: 'setup', role: 'admin' }, nowMs, setUpLinkMs)
  await database.write({ steps: [toStatement(dropOthers), insert] })
  return token
}

export async function hasUsers(database: Database): Promise<boolean> {
  const rows = await database.read(queries.selectFrom('users').select('id').limit(1))
  return rows.length > 0
}

function insertLink(row: Wanted & Omit<OneTimeLinkRow, keyof Wanted>) {
  const { user_id = null, email = null, role = null, ...others } = row
  return queries.insertInto('one_time_links').values({ ...others, user_id, email, role })
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
