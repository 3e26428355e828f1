import { ensureDefaultAccount } from '../accounts/accounts.ts'
import { ServiceError } from '../errors.ts'
import { inviteLinkMs, invitesMax, resetLinkMs } from '../sign-in-limits.ts'
import { type Actor, recordAudit, serviceActor } from '../storage/audit/audit-log.ts'
import type { Database } from '../storage/database.ts'
import { queries, type Statement, toStatement } from '../storage/statement.ts'
import {
  type AccountQuery,
  findListedAccount,
  type ListedAccount,
  listAccountsWithUsers,
} from './account-list.ts'
import { type AuditLogEntry, readAuditLog } from './audit/audit-entries.ts'
import { signUpClosed } from './admit-oidc-user.ts'
import { type AccountChanges, editAccount, noSuchAccount } from './edit-account.ts'
import {
  dropExpiredLinks,
  findLink,
  hasUsers,
  newLink,
  type OneTimeLink,
} from './one-time-links.ts'
import type { PanelAuth } from './panel-auth.ts'
import type { PanelUser } from './panel-sessions.ts'
import type { SignUpPolicy } from './sign-up/sign-up-policy.ts'
import {
  auditTarget,
  createUser,
  findUser,
  findUserOfAccount,
  linkExpired,
  parseEmail,
  resetPassword,
  renameOwnAccount,
  type Role,
  type User,
} from './users.ts'

type PanelAccountsOptions = {
  database: Database
  now: () => number
  signUpPolicy: SignUpPolicy
  /** Address of the panel, for links. */
  url: () => string
  auth: Pick<PanelAuth, 'hashPassword' | 'recheckSessions'>
  /** Applies a change of an account to its API keys. */
  accountChanged: (id: string) => Promise<void>
}

export type Invite = {
  id: string
  email: string | null
  role: Role
  createdMs: number
  expiresMs: number
}
export type Link = { id: string; url: string; expiresMs: number }
type Person = { email: string; password: string; name: string }

/** Handles sign-up, invites, and the management of accounts by administrators. */
export class PanelAccounts {
  readonly #options: PanelAccountsOptions

  get signUpPolicy(): SignUpPolicy {
    return this.#options.signUpPolicy
  }

  constructor(options: PanelAccountsOptions) {
    this.#options = options
  }

  async needsSetUp(): Promise<boolean> {
    return !(await hasUsers(this.#options.database))
  }

  /**
   * Creates the first user, who gets the default account with its keys.
   * @throws ServiceError link_expired, invalid_value
   */
  async setUp({
    secret,
    password,
    ...person
  }: Person & { secret: string }): Promise<{ id: string }> {
    const { database, now, auth } = this.#options
    const link = await findLink(database, 'setup', secret, now())
    if (link === undefined || !(await this.needsSetUp())) throw linkExpired()
    const { id: accountId } = await ensureDefaultAccount(database, now)
    const passwordHash = await auth.hashPassword(password)
    return await createUser(
      database,
      { ...person, role: 'admin', passwordHash, accountId, link },
      now(),
    )
  }

  /** @throws ServiceError sign_up_closed, link_expired, email_taken, invalid_value */
  async signUp({
    invite,
    password,
    ...person
  }: Person & { invite?: string }): Promise<{ id: string }> {
    const { database, now, auth } = this.#options
    const signUp = await this.signUpPolicy.mode()
    if (signUp === 'closed' || (await this.needsSetUp())) throw signUpClosed()
    if (signUp === 'invite' && invite === undefined) throw signUpClosed()
    const link = invite === undefined ? undefined : await this.#findInvite(invite, person.email)
    const passwordHash = await auth.hashPassword(password)
    const user = { ...person, role: link?.role ?? 'member', passwordHash } as const
    return await createUser(database, link === undefined ? user : { ...user, link }, now())
  }

  /** @throws ServiceError link_expired, invalid_value */
  async resetPassword({ secret, password }: { secret: string; password: string }): Promise<User> {
    const { database, now, auth } = this.#options
    const { link, user } = await this.#findResetLink(secret)
    await resetPassword(database, link, await auth.hashPassword(password), now())
    auth.recheckSessions()
    return user
  }

  /**
   * Returns the user who may choose a password with the link.
   * @throws ServiceError link_expired
   */
  async findResetUser(secret: string): Promise<User> {
    return (await this.#findResetLink(secret)).user
  }

  /**
   * Returns the account that an invite link creates.
   * @throws ServiceError link_expired
   */
  async findInviteOffer(secret: string): Promise<Pick<Invite, 'email' | 'role'>> {
    const { email, role } = await this.#findInviteLink(secret)
    return { email, role: role ?? 'member' }
  }

  /** Renames the account of a user who has changed their name, unless an admin gave the account another name. */
  async renameOwn({ accountId, name: from }: PanelUser, to: string): Promise<void> {
    await renameOwnAccount(this.#options.database, accountId, { from, to })
  }

  async findUser(id: string): Promise<User> {
    const user = await findUser(this.#options.database, id)
    if (user === undefined) throw new ServiceError('session_required', 'Sign in first.')
    return user
  }

  /** @throws ServiceError not_found */
  async list(query: AccountQuery): Promise<ListedAccount[]> {
    const found = await listAccountsWithUsers(this.#options.database, query)
    if (found === undefined) throw noSuchAccount()
    return found
  }

  /** @throws ServiceError invalid_value, not_found */
  async edit(id: string, changes: AccountChanges, by: Actor): Promise<ListedAccount> {
    const { database, now, auth, accountChanged } = this.#options
    await editAccount(database, id, changes, now(), by)
    // First, because it also has to happen if the keys cannot be read at once.
    auth.recheckSessions()
    await accountChanged(id)
    const changed = await findListedAccount(database, id)
    if (changed === undefined) throw noSuchAccount()
    return changed
  }

  /** @throws ServiceError not_found */
  async createResetLink(accountId: string, by: Actor): Promise<Link> {
    const { database, now, url } = this.#options
    const user = await findUserOfAccount(database, accountId)
    if (user === undefined) throw noSuchAccount()
    return await createResetLink(database, user.id, url(), now(), by)
  }

  /**
   * Creates an invite. It replaces earlier ones for the same e-mail address, so that an admin can correct the role.
   * @throws ServiceError sign_up_closed, invalid_value
   */
  async createInvite(wanted: { email: string | undefined; role: Role }, by: Actor): Promise<Link> {
    const { database, now, url } = this.#options
    if ((await this.signUpPolicy.mode()) === 'closed')
      throw new ServiceError(
        'sign_up_closed',
        'Invites are off. Turn them on on the page Accounts, or set PIPIT_SIGN_UP=invite.',
      )
    const pending = await this.invites()
    if (pending.length >= invitesMax)
      throw new ServiceError(
        'invalid_value',
        `There are ${invitesMax} pending invites already. Revoke some first.`,
      )
    const email = wanted.email === undefined ? null : parseEmail(wanted.email)
    const link = newLink({ purpose: 'invite', email, role: wanted.role }, now(), inviteLinkMs)
    const target = { id: link.id, name: email ?? '' }
    const after = { email, role: wanted.role }
    // In SQL, no row equals null, so an invite without an address replaces none.
    const earlier = queries
      .deleteFrom('one_time_links')
      .where('purpose', '=', 'invite')
      .where('email', '=', email)
    await database.write([
      toStatement(earlier),
      link.insert,
      dropExpiredLinks(now()),
      ...pending
        .filter((invite) => email !== null && invite.email === email)
        .flatMap((invite) => recordRevocation(invite, by, now())),
      ...recordAudit({ by, action: 'invite.create', accountId: null, target, after }, now()),
    ])
    return { id: link.id, url: `${url()}/sign-up#${link.secret}`, expiresMs: link.expiresMs }
  }

  /** Returns pending invites, latest first. */
  async invites(): Promise<Invite[]> {
    const rows = await this.#options.database.read(
      queries
        .selectFrom('one_time_links')
        .selectAll()
        .where('purpose', '=', 'invite')
        .where('expires_ms', '>', this.#options.now())
        .orderBy('created_ms', 'desc')
        .orderBy('id')
        .limit(invitesMax),
    )
    return rows.map((row) => ({
      id: row.id,
      email: row.email,
      role: row.role ?? 'member',
      createdMs: row.created_ms,
      expiresMs: row.expires_ms,
    }))
  }

  /** @throws ServiceError not_found */
  async revokeInvite(id: string, by: Actor): Promise<void> {
    const { database, now } = this.#options
    const invite = (await this.invites()).find((pending) => pending.id === id)
    if (invite === undefined) throw noSuchInvite()
    const drop = queries
      .deleteFrom('one_time_links')
      .where('id', '=', id)
      .where('purpose', '=', 'invite')
    const found = await database.writeGuarded({
      guard: toStatement(drop),
      steps: recordRevocation(invite, by, now()),
      additions: [],
    })
    if (found === 0) throw noSuchInvite()
  }

  /**
   * Returns one page of the audit log, newest first.
   * @throws ServiceError ledger_unavailable
   */
  auditLog(limit: number, after: string | undefined): Promise<AuditLogEntry[]> {
    return readAuditLog(this.#options.database, limit, after)
  }

  async #findResetLink(secret: string): Promise<{ link: OneTimeLink; user: User }> {
    const { database, now } = this.#options
    const link = await findLink(database, 'reset-password', secret, now())
    const user = link?.user_id == null ? undefined : await findUser(database, link.user_id)
    if (link === undefined || user === undefined) throw linkExpired()
    return { link, user }
  }

  async #findInviteLink(secret: string): Promise<OneTimeLink> {
    const { database, now } = this.#options
    const link = await findLink(database, 'invite', secret, now())
    if (link === undefined) throw linkExpired()
    return link
  }

  async #findInvite(secret: string, email: string): Promise<OneTimeLink> {
    const link = await this.#findInviteLink(secret)
    if (link.email !== null && link.email !== parseEmail(email))
      throw new ServiceError(
        'invalid_value',
        'This invite is for another e-mail address. Use the address that was invited.',
        { param: 'email' },
      )
    return link
  }
}

function recordRevocation({ id, email, role }: Invite, by: Actor, nowMs: number): Statement[] {
  const target = { id, name: email ?? '' }
  const before = { email, role }
  return recordAudit({ by, action: 'invite.revoke', accountId: null, target, before }, nowMs)
}

function noSuchInvite(): ServiceError {
  return new ServiceError(
    'not_found',
    'There is no such invite. It was used or revoked, or has expired.',
    { param: 'id' },
  )
}

/** Creates a link to choose a new password. It replaces the user's earlier reset links. */
export async function createResetLink(
  database: Database,
  userId: string,
  url: string,
  nowMs: number,
  by: Actor = serviceActor,
): Promise<Link> {
  const user = await findUser(database, userId)
  if (user === undefined) throw noSuchAccount()
  const dropOthers = queries
    .deleteFrom('one_time_links')
    .where('user_id', '=', user.id)
    .where('purpose', '=', 'reset-password')
  const link = newLink({ purpose: 'reset-password', user_id: user.id }, nowMs, resetLinkMs)
  await database.write([
    toStatement(dropOthers),
    link.insert,
    dropExpiredLinks(nowMs),
    ...recordAudit({ by, action: 'user.create_reset_link', ...auditTarget(user) }, nowMs),
  ])
  return { id: link.id, url: `${url}/reset-password#${link.secret}`, expiresMs: link.expiresMs }
}
