import { randomBytes } from 'node:crypto'
import { ServiceError } from '../errors.ts'
import { emailCharsMax } from '../limits.ts'
import type { Database } from '../storage/database.ts'
import { queries, type Statement, toStatement } from '../storage/statement.ts'
import type { UserRow } from '../storage/tables.ts'
import { type Account, findAccount } from './accounts.ts'
import { parseName } from './name.ts'
import { type OneTimeLink, useLink } from './one-time-links.ts'

export type Role = UserRow['role']

export type NewUser = {
  email: string
  name: string
  role: Role
  /** As better-auth has made it; undefined: a password comes later, by a link. */
  passwordHash: string | undefined
  /** One that nobody else has; undefined: a new one. */
  accountId?: string
  /** Used up by it. */
  link?: OneTimeLink
}

export type User = {
  user: { id: string; email: string; name: string; role: Role; twoFactorEnabled: boolean }
  account: Account
}

export async function findUser(database: Database, id: string): Promise<User> {
  const [user] = await database.read(queries.selectFrom('users').selectAll().where('id', '=', id))
  const account = user && (await findAccount(database, user.account_id))
  if (user === undefined || account === undefined) throw new Error('a user without an account')
  const { email, name, role } = user
  return {
    user: { id, email, name, role, twoFactorEnabled: user.two_factor_enabled === 1 },
    account,
  }
}

/**
 * The user, the account and the password at once.
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
  const accountId = wanted.accountId ?? `acct_${randomBytes(12).toString('hex')}`
  const at = new Date(nowMs).toISOString()
  const row = {
    id,
    account_id: accountId,
    name,
    email,
    email_verified: 0,
    role: wanted.role,
    two_factor_enabled: 0,
  }
  const steps: Statement[] = []
  if (wanted.link !== undefined) steps.push(useLink(wanted.link))
  if (wanted.accountId === undefined)
    steps.push(
      toStatement(
        queries.insertInto('accounts').values({ id: accountId, name, created_ms: nowMs }),
      ),
    )
  steps.push(
    toStatement(queries.insertInto('users').values({ ...row, created_at: at, updated_at: at })),
  )
  if (wanted.passwordHash !== undefined) steps.push(insertPassword(id, wanted.passwordHash, at))
  const changed = await writeUser(database, steps, wanted.link !== undefined)
  if (changed === 0) throw linkExpired()
  return { id, accountId }
}

export function linkExpired(): ServiceError {
  return new ServiceError(
    'link_expired',
    'This link is no longer good: it was used, has expired, or was replaced by another. Ask for a new one.',
  )
}

/** @throws ServiceError invalid_value */
export function parseEmail(text: string): string {
  const email = text.trim().toLowerCase()
  // No more than what better-auth takes at sign-in.
  const isEmail =
    email.length <= emailCharsMax &&
    /^(?!\.)(?!.*\.\.)[a-z0-9_'+.-]*[a-z0-9_+-]@([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/.test(email)
  if (isEmail) return email
  throw new ServiceError(
    'invalid_value',
    'This is not an e-mail address: write it like name@example.com.',
    { param: 'email' },
  )
}

function insertPassword(userId: string, password: string, at: string): Statement {
  const id = `cred_${randomBytes(12).toString('hex')}`
  const times = { created_at: at, updated_at: at }
  const row = { id, user_id: userId, provider_id: 'credential', subject: userId, password }
  return toStatement(queries.insertInto('credentials').values({ ...row, ...times }))
}

async function writeUser(
  database: Database,
  steps: readonly Statement[],
  guarded: boolean,
): Promise<number> {
  try {
    return await database.write({ steps, guarded })
  } catch (cause) {
    if (!(cause instanceof Error) || !cause.message.includes('users.email')) throw cause
    throw new ServiceError(
      'email_taken',
      'There is an account with this e-mail address already: sign in, or use another address.',
      { param: 'email', cause },
    )
  }
}
