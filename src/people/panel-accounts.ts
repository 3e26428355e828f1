import { ensureDefaultAccount } from '../accounts/accounts.ts'
import type { SignUpMode } from '../config.ts'
import { ServiceError } from '../errors.ts'
import { inviteLinkMs, invitesMax, resetLinkMs } from '../limits.ts'
import type { Database } from '../storage/database.ts'
import { queries, toStatement } from '../storage/statement.ts'
import {
  type AccountQuery,
  findListedAccount,
  type ListedAccount,
  listAccountsWithUse,
} from './account-list.ts'
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
import {
  createUser,
  findUser,
  findUserOfAccount,
  linkExpired,
  parseEmail,
  resetPassword,
  type Role,
  type User,
} from './users.ts'

type PanelAccountsOptions = {
  database: Database
  now: () => number
  signUp: SignUpMode
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

/** Sign-up, invitations, and what administrators do with accounts. */
export class PanelAccounts {
  readonly #options: PanelAccountsOptions

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
  async setUp({ token, password, ...person }: Person & { token: string }): Promise<{ id: string }> {
    const { database, now, auth } = this.#options
    const link = await findLink(database, 'setup', token, now())
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
    const { database, now, auth, signUp } = this.#options
    if (signUp === 'closed' || (await this.needsSetUp())) throw signUpClosed()
    if (signUp === 'invite' && invite === undefined) throw signUpClosed()
    const link = invite === undefined ? undefined : await this.#findInvite(invite, person.email)
    const passwordHash = await auth.hashPassword(password)
    const user = { ...person, role: link?.role ?? 'member', passwordHash } as const
    return await createUser(database, link === undefined ? user : { ...user, link }, now())
  }

  /** @throws ServiceError link_expired, invalid_value */
  async resetPassword({ token, password }: { token: string; password: string }): Promise<void> {
    const { database, now, auth } = this.#options
    const link = await findLink(database, 'reset-password', token, now())
    if (link === undefined) throw linkExpired()
    await resetPassword(database, link, await auth.hashPassword(password), now())
    auth.recheckSessions()
  }

  async findUser(id: string): Promise<User> {
    const user = await findUser(this.#options.database, id)
    if (user === undefined) throw new ServiceError('session_required', 'Sign in first.')
    return user
  }

  /** @throws ServiceError not_found */
  async list(query: AccountQuery): Promise<ListedAccount[]> {
    const { database, now } = this.#options
    const found = await listAccountsWithUse(database, query, now())
    if (found === undefined) throw noSuchAccount()
    return found
  }

  /** @throws ServiceError invalid_value, not_found */
  async edit(id: string, changes: AccountChanges): Promise<ListedAccount> {
    const { database, now, auth, accountChanged } = this.#options
    await editAccount(database, id, changes, now())
    await accountChanged(id)
    auth.recheckSessions()
    const changed = await findListedAccount(database, id, now())
    if (changed === undefined) throw noSuchAccount()
    return changed
  }

  /** @throws ServiceError not_found */
  async createResetLink(accountId: string): Promise<Link> {
    const { database, now, url } = this.#options
    const user = await findUserOfAccount(database, accountId)
    if (user === undefined) throw noSuchAccount()
    return await createResetLink(database, user.id, url(), now())
  }

  /** @throws ServiceError sign_up_closed, invalid_value */
  async createInvite(wanted: { email: string | undefined; role: Role }): Promise<Link> {
    const { database, now, url, signUp } = this.#options
    if (signUp === 'closed')
      throw new ServiceError(
        'sign_up_closed',
        'Invitations are off. Start the service with PIPIT_SIGN_UP=invite, or create accounts with `pipit accounts create`.',
      )
    if ((await this.invites()).length >= invitesMax)
      throw new ServiceError(
        'invalid_value',
        `There are ${invitesMax} pending invites already. Revoke some first.`,
      )
    const email = wanted.email === undefined ? null : parseEmail(wanted.email)
    const link = newLink({ purpose: 'invite', email, role: wanted.role }, now(), inviteLinkMs)
    await database.write([link.insert, dropExpiredLinks(now())])
    return { id: link.id, url: `${url()}/sign-up#${link.secret}`, expiresMs: link.expiresMs }
  }

  /** Pending invites, latest first. */
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
  async revokeInvite(id: string): Promise<void> {
    const drop = queries
      .deleteFrom('one_time_links')
      .where('id', '=', id)
      .where('purpose', '=', 'invite')
    const found = await this.#options.database.write([toStatement(drop)])
    if (found === 0)
      throw new ServiceError(
        'not_found',
        'There is no such invite. It was used or revoked, or has expired.',
        { param: 'id' },
      )
  }

  async #findInvite(secret: string, email: string): Promise<OneTimeLink> {
    const { database, now } = this.#options
    const link = await findLink(database, 'invite', secret, now())
    if (link === undefined) throw linkExpired()
    if (link.email !== null && link.email !== parseEmail(email))
      throw new ServiceError(
        'invalid_value',
        'This invite is for another e-mail address. Use the address that was invited.',
        { param: 'email' },
      )
    return link
  }
}

/** Creates a link to choose a new password. It replaces earlier ones of the user. */
export async function createResetLink(
  database: Database,
  userId: string,
  url: string,
  nowMs: number,
): Promise<Link> {
  const dropOthers = queries
    .deleteFrom('one_time_links')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'reset-password')
  const link = newLink({ purpose: 'reset-password', user_id: userId }, nowMs, resetLinkMs)
  await database.write([toStatement(dropOthers), link.insert, dropExpiredLinks(nowMs)])
  return { id: link.id, url: `${url}/reset-password#${link.secret}`, expiresMs: link.expiresMs }
}
