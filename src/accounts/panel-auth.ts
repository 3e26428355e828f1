import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError } from '../errors.ts'
import { passwordCharsMax, passwordCharsMin } from '../limits.ts'
import type { Database } from '../storage/database.ts'
import { queries, toStatement } from '../storage/statement.ts'
import type { Logger } from '../telemetry/logger.ts'
import { ensureDefaultAccount } from './accounts.ts'
import type { Auth } from './better-auth.ts'
import { findLink, hasUsers } from './one-time-links.ts'
import { PanelSessions, type PanelUser } from './panel-sessions.ts'
import { createUser, findUser, linkExpired, type User } from './users.ts'

export type PanelAuthOptions = {
  database: Database
  logger: Logger
  now: () => number
  /** Where browsers reach the service; asked for once it listens. */
  url: () => string
}

export type AuthRequest = {
  method: 'GET' | 'POST'
  headers: Headers
  /** Of the network: who has connected, whatever the headers say. */
  address: string
  body?: string
}

type BetterAuth = typeof import('./better-auth.ts')

/** Who signs in to the panel. better-auth, which does the work, is loaded when it is first needed. */
export class PanelAuth {
  readonly #options: PanelAuthOptions
  readonly #sessions: PanelSessions
  #loaded: Promise<{ auth: Auth; betterAuth: BetterAuth }> | undefined

  constructor(options: PanelAuthOptions) {
    this.#options = options
    this.#sessions = new PanelSessions(options.database, options.now)
  }

  async checkSession(headers: IncomingHttpHeaders): Promise<PanelUser | undefined> {
    const { cookie } = headers
    if (cookie === undefined || !cookie.includes('pipit.session_token=')) return undefined
    const { auth } = await this.#load()
    const found = await auth.api.getSession({
      headers: new Headers({ cookie }),
      query: { disableRefresh: true },
    })
    if (found === null || (await this.#isDisabled(found.user.id))) return undefined
    const { user, session } = found
    return {
      userId: user.id,
      sessionId: session.id,
      accountId: user.accountId,
      email: user.email,
      name: user.name,
      role: user.role === 'admin' ? 'admin' : 'member',
      twoFactorEnabled: user.twoFactorEnabled === true,
      ended: this.#sessions.follow(session.id, session.expiresAt.getTime()),
    }
  }

  /** What better-auth answers at `path` of its own. */
  async handle(path: string, { headers, method, body, address }: AuthRequest): Promise<Response> {
    const { auth, betterAuth } = await this.#load()
    const url = new URL(betterAuth.authPath + path, this.#options.url())
    headers.set(betterAuth.addressHeader, address)
    const response = await auth.handler(new Request(url, { method, headers, body: body ?? null }))
    if (method === 'POST') this.#sessions.recheck()
    return response
  }

  async needsSetUp(): Promise<boolean> {
    return !(await hasUsers(this.#options.database))
  }

  findUser(id: string): Promise<User> {
    return findUser(this.#options.database, id)
  }

  /**
   * The first user, who takes the account that is there already and with it its keys.
   * @throws ServiceError link_expired, invalid_value
   */
  async setUp(wanted: {
    token: string
    email: string
    password: string
    name: string
  }): Promise<{ id: string }> {
    const { database, now } = this.#options
    const link = await findLink(database, 'setup', wanted.token, now())
    if (link === undefined || !(await this.needsSetUp())) throw linkExpired()
    const { id: accountId } = await ensureDefaultAccount(database, now)
    const passwordHash = await this.#hash(wanted.password)
    const { email, name } = wanted
    const user = { email, name, role: 'admin', passwordHash, accountId, link } as const
    return await createUser(database, user, now())
  }

  close(): void {
    this.#sessions.close()
  }

  /** @throws ServiceError invalid_value */
  async #hash(password: string): Promise<string> {
    const { auth } = await this.#load()
    if (password.length < passwordCharsMin || password.length > passwordCharsMax)
      throw new ServiceError(
        'invalid_value',
        `A password has ${passwordCharsMin} to ${passwordCharsMax} characters.`,
        { param: 'password' },
      )
    return (await auth.$context).password.hash(password)
  }

  #load(): Promise<{ auth: Auth; betterAuth: BetterAuth }> {
    this.#loaded ??= this.#create().catch((error: unknown) => {
      this.#loaded = undefined
      throw error
    })
    return this.#loaded
  }

  async #create() {
    const { database, logger, url } = this.#options
    const [betterAuth, secret] = await Promise.all([
      import('./better-auth.ts'),
      cookieSecret(database),
    ])
    const auth = betterAuth.createAuth({
      database,
      logger,
      url: url(),
      secret,
      isDisabled: (userId) => this.#isDisabled(userId),
    })
    return { auth, betterAuth }
  }

  async #isDisabled(userId: string): Promise<boolean> {
    const rows = await this.#options.database.read(
      queries
        .selectFrom('users')
        .innerJoin('accounts', 'accounts.id', 'users.account_id')
        .select('users.id')
        .where('users.id', '=', userId)
        .where('accounts.disabled_ms', 'is not', null),
    )
    return rows.length > 0
  }
}

/** Made once, and in the database only, which its owner alone may read. */
async function cookieSecret(database: Database): Promise<string> {
  const name = 'panel cookies'
  const row = { name, value: randomBytes(32).toString('base64url') }
  const insert = queries
    .insertInto('service_secrets')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
  await database.write({ steps: [toStatement(insert)] })
  const [found] = await database.read(
    queries.selectFrom('service_secrets').select('value').where('name', '=', name),
  )
  if (found === undefined) throw new Error('a secret was written and is not there')
  return found.value
}
