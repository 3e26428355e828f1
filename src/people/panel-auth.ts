import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { OidcConfig } from '../config.ts'
import { ServiceError } from '../errors.ts'
import { retentionBatchMax, retentionPauseMs } from '../limits.ts'
import {
  expiredSessionsDroppedMs,
  issuerTimeoutMs,
  passkeySessionMs,
  passwordCharsMax,
  passwordCharsMin,
  sessionsOfUserMax,
} from '../sign-in-limits.ts'
import type { Database } from '../storage/database.ts'
import { queries, toStatement } from '../storage/statement.ts'
import type { SessionRow } from '../storage/tables.ts'
import type { Logger } from '../telemetry/logger.ts'
import { admitOidcUser } from './admit-oidc-user.ts'
import type { Auth, AuthSettings, OidcPerson } from './better-auth.ts'
import { PanelSessions, type PanelUser } from './panel-sessions.ts'
import type { SignUpPolicy } from './sign-up/sign-up-policy.ts'
import { deletePasskey, dropPendingSignIns, findPasswordHash, findUser } from './users.ts'

type PanelAuthOptions = {
  database: Database
  /** Signs the cookies. */
  secret: string
  logger: Logger
  now: () => number
  /** Returns the URL of the service for browsers. Called only after the service has begun to listen. */
  url: () => string
  signUpPolicy: SignUpPolicy
  oidc: OidcConfig | undefined
}

type AuthRequest = {
  method: 'GET' | 'POST'
  headers: Headers
  /** Network address of the client. Forwarded headers change it only if a trusted proxy sent them. */
  address: string
  body?: string
}

export type ListedSession = Pick<
  SessionRow,
  'id' | 'created_at' | 'expires_at' | 'ip_address' | 'user_agent'
>

/** The cookie of a sign-in that waits for a two-factor code, with the prefix for https or without. */
const pendingCookie = /(?:^|;)\s*(?:__Host-)?pipit\.two_factor\s*=\s*([^;]*)/g

/** Handles passwords, sessions and second factors with better-auth, which is loaded on first use. */
export class PanelAuth {
  readonly #options: PanelAuthOptions
  readonly #sessions: PanelSessions
  #auth: Promise<Auth> | undefined
  #cleaning: NodeJS.Timeout | undefined
  readonly #closing = new AbortController()
  #authWithOidc: Promise<Auth> | undefined

  constructor(options: PanelAuthOptions) {
    this.#options = options
    this.#sessions = new PanelSessions(options.database, options.now)
  }

  /** Returns the user of the session cookie, or undefined. */
  async checkSession(headers: IncomingHttpHeaders): Promise<PanelUser | undefined> {
    const { cookie } = headers
    if (cookie === undefined || !cookie.includes('pipit.session_token=')) return undefined
    const { api } = await this.#load()
    const { rechecks } = this.#sessions
    const found = await api.getSession({
      headers: new Headers({ cookie }),
      query: { disableRefresh: true },
    })
    if (found === null || (await this.#isDisabled(found.user.id))) return undefined
    const { user, session } = found
    const { accountId } = user
    if (typeof accountId !== 'string') throw new Error('the user has no account')
    return {
      userId: user.id,
      sessionId: session.id,
      sessionBeganMs: session.createdAt.getTime(),
      accountId,
      email: user.email,
      name: user.name,
      role: user.role === 'admin' ? 'admin' : 'member',
      ended: this.#sessions.follow(session.id, session.expiresAt.getTime(), rechecks),
    }
  }

  /**
   * Passes a request to better-auth's `path` and returns the response.
   * @throws ServiceError oidc_unavailable
   */
  async handle(path: string, request: AuthRequest): Promise<Response> {
    const { addressHeader, authPath } = await import('./better-auth.ts')
    const auth = await (isOidcPath(path) ? this.#loadWithOidc() : this.#load())
    const url = new URL(authPath + path, this.#options.url())
    const { method, headers, body = null } = request
    headers.set(addressHeader, request.address)
    // http/ has checked the origin. better-auth accepts only one origin, so it gets that one.
    headers.set('origin', url.origin)
    const response = await auth.handler(new Request(url, { method, headers, body }))
    // The callback of OIDC is a GET. It ends the browser's earlier session.
    if (method === 'POST' || isOidcPath(path)) this.#sessions.recheck()
    return response
  }

  /**
   * Returns the e-mail address of the user whose sign-in waits for a two-factor code, or undefined if none does.
   * @throws ServiceError session_required if the sign-in is unknown or ambiguous
   */
  async findPendingUser({ cookie = '' }: IncomingHttpHeaders): Promise<string | undefined> {
    const [value, ...others] = [...cookie.matchAll(pendingCookie)].map(([, text = '']) => text)
    if (value === undefined) return undefined
    // better-auth's cookie is `identifier.signature`. better-auth itself checks the signature.
    const identifier = /^([\w-]+)\./.exec(value)?.[1]
    const { internalAdapter } = await (await this.#load()).$context
    const found = identifier && (await internalAdapter.findVerificationValue(identifier))
    const user = found && (await findUser(this.#options.database, found.value))
    if (user && others.length === 0) return user.email
    throw new ServiceError(
      'session_required',
      'That took too long. Sign in again with your e-mail address and password.',
    )
  }

  /** Loads better-auth ahead of time, so that the next sign-in does not wait for it. */
  warmUp(): void {
    this.#load().catch(() => {
      // The next use tries again and reports the error.
    })
  }

  /** @throws ServiceError invalid_value */
  async hashPassword(password: string): Promise<string> {
    if (password.length < passwordCharsMin || password.length > passwordCharsMax)
      throw new ServiceError(
        'invalid_value',
        `Enter a password of ${passwordCharsMin} to ${passwordCharsMax} characters.`,
        { param: 'password' },
      )
    const { $context } = await this.#load()
    return (await $context).password.hash(password)
  }

  /** Returns false for a user who signs in only through OIDC. */
  async hasPassword(userId: string): Promise<boolean> {
    return (await findPasswordHash(this.#options.database, userId)) !== undefined
  }

  /** @throws ServiceError invalid_credentials, ledger_unavailable */
  async checkPassword(userId: string, password: string): Promise<void> {
    const hash = await findPasswordHash(this.#options.database, userId)
    const { $context } = await this.#load()
    if (hash === undefined || !(await (await $context).password.verify({ hash, password })))
      throw new ServiceError('invalid_credentials', 'Incorrect password.', { param: 'password' })
  }

  /**
   * Checks that a user without a password has signed in within the last day.
   * @throws ServiceError invalid_credentials
   */
  checkRecentSignIn({ sessionBeganMs }: PanelUser): void {
    if (this.#options.now() - sessionBeganMs < passkeySessionMs) return
    throw new ServiceError(
      'invalid_credentials',
      'You signed in more than a day ago. Sign out and in again, then add the passkey.',
    )
  }

  /** @throws ServiceError not_found, ledger_unavailable */
  async deletePasskey(user: PanelUser, id: string): Promise<void> {
    await deletePasskey(this.#options.database, user, id, this.#options.now())
  }

  /** Returns the user's sessions, latest first. */
  async listSessions(userId: string): Promise<ListedSession[]> {
    const at = new Date(this.#options.now()).toISOString()
    return await this.#options.database.read(
      queries
        .selectFrom('sessions')
        .select(['id', 'created_at', 'expires_at', 'ip_address', 'user_agent'])
        .where('user_id', '=', userId)
        .where('expires_at', '>', at)
        .orderBy('created_at', 'desc')
        .limit(sessionsOfUserMax),
    )
  }

  /** Ends one session of the user, or all but one. Returns the number of ended sessions. */
  async endSessions(userId: string, which: 'only' | 'all-but', sessionId: string): Promise<number> {
    const drop = queries
      .deleteFrom('sessions')
      .where('user_id', '=', userId)
      .where('id', which === 'only' ? '=' : '!=', sessionId)
    const steps = [toStatement(drop)]
    if (which === 'all-but') steps.push(dropPendingSignIns(userId))
    const ended = await this.#options.database.write(steps)
    this.#sessions.recheck()
    return ended
  }

  /** Ends sign-ins of the user that wait for a two-factor code. */
  async endPendingSignIns(userId: string): Promise<void> {
    await this.#options.database.write([dropPendingSignIns(userId)])
  }

  /** Looks for ended sessions. Call it after code other than `handle` may have ended some. */
  recheckSessions(): void {
    this.#sessions.recheck()
  }

  close(): void {
    clearInterval(this.#cleaning)
    this.#closing.abort()
    this.#sessions.close()
  }

  #load(): Promise<Auth> {
    this.#auth ??= this.#create({}).catch((error: unknown) => {
      this.#auth = undefined
      throw error
    })
    return this.#auth
  }

  #loadWithOidc(): Promise<Auth> {
    this.#authWithOidc ??= this.#createWithOidc().catch((error: unknown) => {
      this.#authWithOidc = undefined
      throw error
    })
    return this.#authWithOidc
  }

  async #createWithOidc(): Promise<Auth> {
    const { oidc, logger } = this.#options
    if (oidc === undefined) throw new ServiceError('unknown_url', 'Single sign-on is not set up.')
    const discoveryUrl = `${oidc.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    try {
      // Checked here because better-auth would skip an issuer that once failed to respond, and not try it again until
      // the next restart. It reads the document itself, later, so the result is checked too.
      const found = await fetch(discoveryUrl, { signal: AbortSignal.timeout(issuerTimeoutMs) })
      await found.body?.cancel()
      if (!found.ok) throw new Error(`status ${found.status}`)
      const admit = (person: OidcPerson) => admitOidcUser(this.#options, person)
      const auth = await this.#create({ oidc: { ...oidc, discoveryUrl, admit } })
      const { hasOidcProvider } = await import('./better-auth.ts')
      const isLate = delay(issuerTimeoutMs, false, { ref: false })
      if (!(await Promise.race([hasOidcProvider(auth), isLate])))
        throw new Error('its configuration cannot be used')
      return auth
    } catch (cause) {
      logger.warn('the issuer of PIPIT_OIDC_ISSUER does not respond', { error: cause })
      throw new ServiceError(
        'oidc_unavailable',
        `${oidc.name} does not respond. Sign in with a password, or try again later.`,
        { cause },
      )
    }
  }

  async #create(more: Pick<AuthSettings, 'oidc'>): Promise<Auth> {
    const { database, logger, now, url, secret } = this.#options
    const { createAuth } = await import('./better-auth.ts')
    this.#cleaning ??= setInterval(() => {
      // Expired sessions cannot be used, so a failed clean-up can wait for the next one.
      dropExpired(database, now(), this.#closing.signal).catch(() => {})
    }, expiredSessionsDroppedMs).unref()
    const isDisabled = (userId: string) => this.#isDisabled(userId)
    return createAuth({ database, logger, now, url: url(), secret, isDisabled, ...more })
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

function isOidcPath(path: string): boolean {
  return path.startsWith('/sign-in/social') || path.startsWith('/callback/')
}

/** Deletes expired sessions and verifications. It deletes in small batches, so that other writes do not wait. */
export async function dropExpired(
  database: Database,
  nowMs: number,
  signal: AbortSignal,
): Promise<void> {
  const at = new Date(nowMs).toISOString()
  for (const table of ['sessions', 'verifications'] as const) {
    const expired = queries.selectFrom(table).select('id').where('expires_at', '<=', at)
    const some = expired.limit(retentionBatchMax)
    const drop = toStatement(queries.deleteFrom(table).where('id', 'in', some))
    while (!signal.aborted && (await database.write([drop])) === retentionBatchMax)
      await delay(retentionPauseMs, undefined, { signal })
  }
}
