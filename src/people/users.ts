import { randomBytes } from 'node:crypto'
import {
  type Account,
  defaultAccountName,
  findAccount,
  insertAccount,
  newAccountId,
} from '../accounts/accounts.ts'
import { parseName } from '../accounts/name.ts'
import { ServiceError } from '../errors.ts'
import { emailCharsMax } from '../sign-in-limits.ts'
import { type Actor, recordAudit } from '../storage/audit/audit-log.ts'
import type { Database } from '../storage/database.ts'
import { queries, type Statement, toStatement } from '../storage/statement.ts'
import type { UserRow } from '../storage/tables.ts'
import { type OneTimeLink, writeWithLink } from './one-time-links.ts'

export const roles = ['admin', 'member'] as const
export type Role = (typeof roles)[number]

/** A person who signs in. Each has an account of their own. */
export type User = {
  id: string
  email: string
  name: string
  role: Role
  twoFactorEnabled: boolean
  account: Account
}

type NewUser = {
  email: string
  name: string
  role: Role
  /** Computed by better-auth; absent if the user will choose a password by a link, or has none. */
  passwordHash?: string | undefined
  /** Id of the user at the OIDC issuer, which has verified the e-mail address. */
  oidcSubject?: string
  /** Id of an existing account without a user. If absent, a new account is created. */
  accountId?: string
  /** The one-time link that authorises the new user; it is used up. */
  link?: OneTimeLink
  /** The author in the audit log. Defaults to the new user. */
  by?: Actor
}

/**
 * Creates the user, the account and the credential in one transaction.
 * @throws ServiceError invalid_value, email_taken, link_expired, ledger_unavailable
 */
export async function createUser(
  database: Database,
  wanted: NewUser,
  nowMs: number,
): Promise<{ id: string; accountId: string }> {
  const email = parseEmail(wanted.email)
  const name = parseName(wanted.name)
  const id = `user_${randomBytes(12).toString('hex')}`
  const accountId = wanted.accountId ?? newAccountId()
  const { role, passwordHash, oidcSubject, link } = wanted
  const emailVerified = oidcSubject === undefined ? 0 : 1
  const user = { id, account_id: accountId, name, email, role, email_verified: emailVerified }
  const steps = [
    wanted.accountId === undefined
      ? insertAccount(accountId, name, nowMs)
      : nameAfterUser(accountId, name, [defaultAccountName]),
    insertUser({ ...user, two_factor_enabled: 0 }, nowMs),
    ...(passwordHash === undefined ? [] : [insertPassword(id, passwordHash, nowMs)]),
    ...(oidcSubject === undefined ? [] : [insertIdentity(id, oidcSubject, nowMs)]),
    ...recordAudit(
      {
        by: wanted.by ?? { userId: id, name: email },
        action: 'user.create',
        accountId,
        target: { id, name: email },
        after: { name, email, role },
      },
      nowMs,
    ),
  ]
  const changed = await writeUser(() =>
    link === undefined ? database.write(steps) : writeWithLink(database, link, steps),
  )
  if (changed === 0) throw linkExpired()
  return { id, accountId }
}

/**
 * Sets the password of the link's user. Ends all their sessions and sign-ins that wait for a two-factor code, and
 * deletes their passkeys, which someone else may have added or hold.
 * @throws ServiceError link_expired, ledger_unavailable
 */
export async function resetPassword(
  database: Database,
  link: OneTimeLink,
  passwordHash: string,
  nowMs: number,
): Promise<void> {
  const userId = link.user_id
  if (userId === null) throw linkExpired()
  const user = await findUser(database, userId)
  if (user === undefined) throw linkExpired()
  const dropPassword = queries
    .deleteFrom('credentials')
    .where('user_id', '=', userId)
    .where('provider_id', '=', passwordProvider)
  const dropSessions = queries.deleteFrom('sessions').where('user_id', '=', userId)
  const changed = await writeWithLink(database, link, [
    toStatement(dropPassword),
    insertPassword(userId, passwordHash, nowMs),
    toStatement(dropSessions),
    dropPendingSignIns(userId),
    dropPasskeys(userId),
    ...recordAudit(
      { by: { userId, name: user.email }, action: 'user.reset_password', ...auditTarget(user) },
      nowMs,
    ),
  ])
  if (changed === 0) throw linkExpired()
}

export async function findUser(database: Database, id: string): Promise<User | undefined> {
  const [row] = await database.read(queries.selectFrom('users').selectAll().where('id', '=', id))
  return await withAccount(database, row)
}

export async function findUserByEmail(
  database: Database,
  email: string,
): Promise<User | undefined> {
  const [row] = await database.read(
    queries.selectFrom('users').selectAll().where('email', '=', email.trim().toLowerCase()),
  )
  return await withAccount(database, row)
}

export async function findUserOfAccount(
  database: Database,
  accountId: string,
): Promise<User | undefined> {
  const [row] = await database.read(
    queries.selectFrom('users').selectAll().where('account_id', '=', accountId),
  )
  return await withAccount(database, row)
}

/** Returns undefined for a user without a password. */
export async function findPasswordHash(
  database: Database,
  userId: string,
): Promise<string | undefined> {
  const [row] = await database.read(
    queries
      .selectFrom('credentials')
      .select('password')
      .where('user_id', '=', userId)
      .where('provider_id', '=', passwordProvider),
  )
  return row?.password ?? undefined
}

/**
 * Gives the user's new name to the user's account, unless an admin gave the account another name.
 * @throws ServiceError ledger_unavailable
 */
export async function renameOwnAccount(
  database: Database,
  accountId: string,
  names: { from: string; to: string },
): Promise<void> {
  await database.write([nameAfterUser(accountId, names.to, [names.from, defaultAccountName])])
}

/** Removes the second factor, the backup codes and the passkeys of a user who has lost them. */
export async function removeTwoFactor(
  database: Database,
  user: User,
  by: Actor,
  nowMs: number,
): Promise<void> {
  const { id: userId } = user
  const drop = queries.deleteFrom('two_factors').where('user_id', '=', userId)
  const unset = queries.updateTable('users').set({ two_factor_enabled: 0 }).where('id', '=', userId)
  const audit = recordAudit({ by, action: 'user.remove_two_factor', ...auditTarget(user) }, nowMs)
  const steps = [toStatement(drop), toStatement(unset), dropPendingSignIns(userId)]
  await database.write([...steps, dropPasskeys(userId), ...audit])
}

/**
 * Returns the statements that record a new passkey in the audit log.
 * @throws ServiceError ledger_unavailable
 */
export async function recordNewPasskey(
  database: Database,
  userId: string,
  name: string | null,
  nowMs: number,
): Promise<Statement[]> {
  const user = await findUser(database, userId)
  if (user === undefined) return []
  const by = { userId, name: user.email }
  const entry = { by, action: 'user.add_passkey', ...auditTarget(user) } as const
  return recordAudit({ ...entry, after: { passkey: name } }, nowMs)
}

/**
 * Deletes a passkey of the user.
 * @throws ServiceError not_found, ledger_unavailable
 */
export async function deletePasskey(
  database: Database,
  { userId, accountId, email }: { userId: string; accountId: string; email: string },
  id: string,
  nowMs: number,
): Promise<void> {
  const isOwn = { id, user_id: userId }
  const [passkey] = await database.read(
    queries
      .selectFrom('passkeys')
      .select('name')
      .where((eb) => eb.and(isOwn)),
  )
  const by = { userId, name: email }
  const target = { id: userId, name: email }
  const entry = { by, action: 'user.delete_passkey', accountId, target } as const
  const deleted = await database.writeGuarded({
    guard: toStatement(queries.deleteFrom('passkeys').where((eb) => eb.and(isOwn))),
    steps: recordAudit({ ...entry, before: { passkey: passkey?.name ?? null } }, nowMs),
    additions: [],
  })
  if (deleted === 0)
    throw new ServiceError('not_found', 'This passkey was already removed.', { param: 'id' })
}

function dropPasskeys(userId: string): Statement {
  return toStatement(queries.deleteFrom('passkeys').where('user_id', '=', userId))
}

/** Ends sign-ins of the user that wait for a two-factor code. They began with the password of that time. */
export function dropPendingSignIns(userId: string): Statement {
  return toStatement(queries.deleteFrom('verifications').where('value', '=', userId))
}

/** Returns the user as the target of an audit log entry. */
export function auditTarget({ id, email, account }: User) {
  return { accountId: account.id, target: { id, name: email } }
}

export function linkExpired(): ServiceError {
  return new ServiceError(
    'link_expired',
    'This link is no longer valid: it was used, has expired or was replaced. Ask for a new one.',
  )
}

/** @throws ServiceError invalid_value */
export function parseEmail(text: string): string {
  const email = text.trim().toLowerCase()
  // Accepts only addresses that better-auth accepts at sign-in.
  const isEmail =
    email.length <= emailCharsMax &&
    /^(?!\.)(?!.*\.\.)[a-z0-9_'+.-]*[a-z0-9_+-]@([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/.test(email)
  if (isEmail) return email
  throw new ServiceError('invalid_value', 'Enter an e-mail address, such as name@example.com.', {
    param: 'email',
  })
}

/** better-auth's provider id for password credentials. */
export const passwordProvider = 'credential'
export const oidcProvider = 'oidc'

async function withAccount(
  database: Database,
  row: UserRow | undefined,
): Promise<User | undefined> {
  const account = row && (await findAccount(database, row.account_id))
  if (row === undefined || account === undefined) return undefined
  const { id, email, name, role } = row
  return { id, email, name, role, twoFactorEnabled: row.two_factor_enabled === 1, account }
}

function nameAfterUser(accountId: string, name: string, from: readonly string[]): Statement {
  return toStatement(
    queries
      .updateTable('accounts')
      .set({ name })
      .where('id', '=', accountId)
      .where('name', 'in', [...from]),
  )
}

function insertUser(
  user: Omit<UserRow, 'image' | 'created_at' | 'updated_at'>,
  nowMs: number,
): Statement {
  return toStatement(queries.insertInto('users').values({ ...user, ...timestampsAt(nowMs) }))
}

function insertPassword(userId: string, password: string, nowMs: number): Statement {
  return insertCredential(
    userId,
    { provider_id: passwordProvider, subject: userId, password },
    nowMs,
  )
}

function insertIdentity(userId: string, subject: string, nowMs: number): Statement {
  return insertCredential(userId, { provider_id: oidcProvider, subject, password: null }, nowMs)
}

function insertCredential(
  userId: string,
  credential: { provider_id: string; subject: string; password: string | null },
  nowMs: number,
): Statement {
  const id = `cred_${randomBytes(12).toString('hex')}`
  const row = { id, user_id: userId, ...credential, ...timestampsAt(nowMs) }
  return toStatement(queries.insertInto('credentials').values(row))
}

function timestampsAt(nowMs: number) {
  const at = new Date(nowMs).toISOString()
  return { created_at: at, updated_at: at }
}

/** @throws ServiceError email_taken */
async function writeUser(write: () => Promise<number>): Promise<number> {
  try {
    return await write()
  } catch (cause) {
    // SQLite names the column `users.email`, PostgreSQL the constraint `users_email_key`.
    if (!(cause instanceof Error) || !/users[._]email/.test(cause.message)) throw cause
    throw new ServiceError(
      'email_taken',
      'An account with this e-mail address exists. Sign in, or use another address.',
      { param: 'email', cause },
    )
  }
}
