import { createHash, randomBytes } from 'node:crypto'
import { setUpLinkMs } from '../limits.ts'
import type { Database } from '../storage/database.ts'
import { queries, toStatement } from '../storage/statement.ts'
import type { OneTimeLinkRow } from '../storage/tables.ts'

export type OneTimeLink = OneTimeLinkRow

/**
 * A fresh link to make the first user, which voids the ones before.
 * @returns its token; undefined once there is a user
 */
export async function createSetUpLink(
  database: Database,
  nowMs: number,
): Promise<string | undefined> {
  if (await hasUsers(database)) return undefined
  const void_ = queries.deleteFrom('one_time_links').where('purpose', '=', 'setup')
  const { token, insert } = newLink({ purpose: 'setup', role: 'admin' }, nowMs, setUpLinkMs)
  await database.write({ steps: [toStatement(void_), toStatement(insert)] })
  return token
}

export async function hasUsers(database: Database): Promise<boolean> {
  const rows = await database.read(queries.selectFrom('users').select('id').limit(1))
  return rows.length > 0
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
      .selectAll()
      .where('digest', '=', digestOf(token))
      .where('purpose', '=', purpose)
      .where('expires_ms', '>', nowMs),
  )
  return row
}

/** As the first step of a guarded unit: what follows takes effect for one of those who use the link. */
export function useLink({ id }: OneTimeLink) {
  return toStatement(queries.deleteFrom('one_time_links').where('id', '=', id))
}

export function newLink(
  what: Pick<OneTimeLink, 'purpose'> & Partial<Pick<OneTimeLink, 'user_id' | 'email' | 'role'>>,
  nowMs: number,
  validMs: number,
) {
  const token = randomBytes(24).toString('base64url')
  const id = `link_${randomBytes(12).toString('hex')}`
  const expiresMs = nowMs + validMs
  const row = { id, digest: digestOf(token), created_ms: nowMs, expires_ms: expiresMs, ...what }
  return { id, token, expiresMs, insert: queries.insertInto('one_time_links').values(row) }
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
