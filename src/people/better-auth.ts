import { AsyncLocalStorage } from 'node:async_hooks'
import { passkey } from '@better-auth/passkey'
import { betterAuth, type BetterAuthOptions } from 'better-auth'
import { APIError } from 'better-auth/api'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { sql } from 'kysely'
import { ServiceError } from '../errors.ts'
import {
  passwordCharsMax,
  passwordCharsMin,
  sessionDays,
  sessionRefreshDays,
  sessionsOfUserMax,
} from '../sign-in-limits.ts'
import type { Database } from '../storage/database.ts'
import { databaseDialect } from '../storage/kysely-dialect.ts'
import { queries, type Statement, toStatement } from '../storage/statement.ts'
import type { Logger } from '../telemetry/logger.ts'
import { hashedSessionTokens } from './hashed-session-tokens.ts'
import { oneTimeCodes } from './second-factors/one-time-codes.ts'
import { passkeyOptions } from './second-factors/passkey-options.ts'
import { twoFactorOptions } from './second-factors/two-factor-options.ts'
import { oidcProvider, passwordProvider, recordNewPasskey } from './users.ts'

export type AuthSettings = {
  database: Database
  logger: Logger
  now: () => number
  /** URL of the service for browsers; with https, the cookies get the attribute `Secure`. */
  url: string
  /** Signs the cookies, and encrypts two-factor secrets. */
  secret: string
  isDisabled: (userId: string) => Promise<boolean>
  oidc?: OidcSettings
}

type OidcSettings = {
  discoveryUrl: string
  clientId: string
  clientSecret: string
  name: string
  /**
   * Creates a user for a person who signs in for the first time.
   * @throws ServiceError sign_up_closed, email_unverified
   */
  admit: (person: OidcPerson) => Promise<void>
}

/** A person as the OIDC issuer describes them. */
export type OidcPerson = {
  /** The person's id at the issuer. */
  subject: string
  email: string
  name: string
  emailVerified: boolean
}

export const authPath = '/panel/api/auth'
/**
 * Header that passes the client's network address to better-auth. A header of this name from a client is overwritten.
 */
export const addressHeader = 'x-pipit-address'
const daySeconds = 86_400

export type Auth = ReturnType<typeof createAuth>

/** Sets up better-auth on the tables of migration 0005. `http/panel/auth.ts` decides which of its paths are served. */
export function createAuth(settings: AuthSettings) {
  const { database, url, secret, logger, oidc } = settings
  const auth = betterAuth({
    appName: 'Pipit',
    baseURL: url,
    basePath: authPath,
    secret,
    database: { dialect: databaseDialect(database, takeSteps), type: 'sqlite' },
    trustedOrigins: [url],
    ...tables,
    session: {
      ...tables.session,
      expiresIn: sessionDays * daySeconds,
      updateAge: sessionRefreshDays * daySeconds,
      // http/ asks for the password instead of a new session.
      freshAge: 0,
    },
    // Never link an OIDC identity to a user by e-mail address.
    account: {
      ...tables.account,
      accountLinking: { disableImplicitLinking: true },
      updateAccountOnSignIn: false,
    },
    emailAndPassword: passwordOptions,
    databaseHooks: {
      user: refuseNew,
      account: { ...refuseNew, ...passwordHook(settings) },
      session: sessionHooks(settings),
    },
    plugins: [
      hashedSessionTokens(),
      twoFactor(twoFactorOptions),
      oneTimeCodes(database),
      passkey(
        passkeyOptions(url, {
          onAdd: (added) => prepareAudit(settings, added),
          onUse: (credentialId) => requestState.getStore()?.passkeys.push(credentialId),
        }),
      ),
      ...(oidc === undefined ? [] : [oidcPlugin(oidc)]),
    ],
    // http/ limits the rate of attempts.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    onAPIError: {
      // For a callback of OIDC whose state is not known any more. Otherwise, better-auth has a page of its own.
      errorURL: '/sign-in',
      onError: (error) => {
        const status = error instanceof Error && 'statusCode' in error ? error.statusCode : 500
        if (Number(status) >= 500) logger.error('better-auth failed', { error })
      },
    },
    advanced: {
      ipAddress: { ipAddressHeaders: [addressHeader] },
      cookiePrefix: cookiePrefix(url),
      useSecureCookies: false,
      // By default, better-auth turns the check off in processes that it takes for tests.
      disableOriginCheck: false,
      defaultCookieAttributes: { secure: isSecure(url) },
      // A test compares the tables with the schema that better-auth expects.
      database: { validateSchema: false },
    },
  })
  const handler = (request: Request) =>
    requestState.run({ passwords: new Set(), passkeys: [], passkeySteps: [] }, () =>
      auth.handler(request),
    )
  return { ...auth, handler }
}

/** Returns false if better-auth has left the issuer out, because it could not read or use its configuration. */
export async function hasOidcProvider({ $context }: Auth): Promise<boolean> {
  return (await $context).socialProviders.some(({ id }) => id === oidcProvider)
}

/** State of the current request. */
const requestState = new AsyncLocalStorage<{
  /** Hashes of the passwords that the request has checked or will set. */
  passwords: Set<string | null>
  /** Credential ids of the passkeys that the request has checked. */
  passkeys: string[]
  /** Statements to write in the same unit as the new passkey. */
  passkeySteps: Statement[]
}>()

function takeSteps(table: string): Statement[] {
  return table === 'passkeys' ? (requestState.getStore()?.passkeySteps.splice(0) ?? []) : []
}

async function prepareAudit(
  { database, now }: AuthSettings,
  { userId, name }: { userId: string; name: string | null },
): Promise<void> {
  const steps = await recordNewPasskey(database, userId, name, now())
  requestState.getStore()?.passkeySteps.push(...steps)
}

const passwordOptions: BetterAuthOptions['emailAndPassword'] = {
  enabled: true,
  // users.ts creates the users, because it checks who may sign up.
  disableSignUp: true,
  minPasswordLength: passwordCharsMin,
  maxPasswordLength: passwordCharsMax,
  password: {
    hash: async (password) => {
      const hash = await hashPassword(password)
      requestState.getStore()?.passwords.add(hash)
      return hash
    },
    verify: async ({ hash, password }) => {
      const isRight = await verifyPassword({ hash, password })
      if (isRight) requestState.getStore()?.passwords.add(hash)
      return isRight
    },
  },
}

type Hooks = NonNullable<BetterAuthOptions['databaseHooks']>

/** Keeps better-auth from creating users and credentials: users.ts creates both in one unit. */
const refuseNew = { create: { before: async () => false as const } }

/**
 * Replaces a password only while the user still has the one that the request has checked. better-auth itself would also
 * undo a change that was made in between.
 */
function passwordHook({ database, now }: AuthSettings): NonNullable<Hooks['account']> {
  return {
    update: {
      before: async ({ password }, context) => {
        if (typeof password !== 'string') return
        const change = queries
          .updateTable('credentials')
          .set({ password, updated_at: new Date(now()).toISOString() })
          .where('user_id', '=', context?.context.session?.user.id ?? '')
          .where('provider_id', '=', passwordProvider)
          .where('password', 'in', [...(requestState.getStore()?.passwords ?? [])])
        const changed = await database.writeReturning(toStatement(change.returning('id')))
        if (changed.length === 0) throw new APIError('UNAUTHORIZED', { code: 'INVALID_PASSWORD' })
        // The password is written.
        return false
      },
    },
  }
}

function sessionHooks(settings: AuthSettings): NonNullable<Hooks['session']> {
  const { database, isDisabled, secret } = settings
  return {
    create: {
      before: async ({ userId }) => {
        if (await isDisabled(userId)) throw new APIError('FORBIDDEN', { code: 'ACCOUNT_DISABLED' })
      },
      // Ends the browser's earlier session, so that its id is worthless after sign-in, and the user's oldest ones.
      after: async ({ token, userId }, context) => {
        if (context === null) return
        const { authCookies, internalAdapter } = context.context
        const code = await findEndedCredential(database, userId)
        if (code !== undefined) {
          await internalAdapter.deleteSession(token)
          throw new APIError('UNAUTHORIZED', { code })
        }
        const before = await context.getSignedCookie(authCookies.sessionToken.name, secret)
        if (typeof before === 'string' && before !== token)
          await internalAdapter.deleteSession(before)
        await endOldest(database, userId)
      },
    },
  }
}

async function endOldest(database: Database, userId: string): Promise<void> {
  const ofUser = queries.selectFrom('sessions').select('id').where('user_id', '=', userId)
  const latest = ofUser.orderBy('created_at', 'desc').limit(sessionsOfUserMax)
  const drop = queries.deleteFrom('sessions').where('user_id', '=', userId)
  await database.write([toStatement(drop.where('id', 'not in', latest))])
}

/**
 * Returns an error code if the password or the passkey that the current request has checked is no longer the user's.
 * Replacing a password ends the sessions that exist, and a session that is created just afterwards must end too.
 */
async function findEndedCredential(
  database: Database,
  userId: string,
): Promise<string | undefined> {
  if (await isPasswordReplaced(database, userId)) return 'INVALID_PASSWORD'
  return (await isPasskeyRemoved(database, userId)) ? 'PASSKEY_NOT_FOUND' : undefined
}

async function isPasswordReplaced(database: Database, userId: string): Promise<boolean> {
  const ofRequest = requestState.getStore()?.passwords
  if (ofRequest === undefined || ofRequest.size === 0) return false
  const rows = await database.read(
    queries
      .selectFrom('credentials')
      .select('password')
      .where('user_id', '=', userId)
      .where('provider_id', '=', passwordProvider)
      // Waits for another service that is replacing the password.
      .modifyEnd(sql`/* for update */`),
  )
  return !rows.some(({ password }) => ofRequest.has(password))
}

async function isPasskeyRemoved(database: Database, userId: string): Promise<boolean> {
  const [used] = requestState.getStore()?.passkeys ?? []
  if (used === undefined) return false
  const rows = await database.read(
    queries
      .selectFrom('passkeys')
      .select('id')
      .where('user_id', '=', userId)
      .where('credential_id', '=', used)
      // Waits for another service that is removing it.
      .modifyEnd(sql`/* for update */`),
  )
  return rows.length === 0
}

/** Returns the cookies' prefix. `__Host-` makes browsers accept a cookie over https only, for exactly this host. */
function cookiePrefix(url: string): string {
  return isSecure(url) ? '__Host-pipit' : 'pipit'
}

function isSecure(url: string): boolean {
  return url.startsWith('https:')
}

async function admitOrRefuse(oidc: OidcSettings, person: OidcPerson): Promise<void> {
  try {
    await oidc.admit(person)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new APIError('FORBIDDEN', { code: error.code, message: error.message })
  }
}

function oidcPlugin(oidc: OidcSettings) {
  const { discoveryUrl, clientId, clientSecret, name: issuerName } = oidc
  const credentials = { discoveryUrl, clientId, clientSecret }
  return genericOAuth({
    config: [
      {
        providerId: oidcProvider,
        name: issuerName,
        ...credentials,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        requireIdTokenVerification: true,
        accountSubject: ({ profile: { sub } }) => sub ?? '',
        // Runs before better-auth looks for the user of the subject.
        mapProfileToUser: async ({ sub, email, name, email_verified: verified }) => {
          // Some issuers write the claim as a text, of which `"false"` would count as true.
          const emailVerified = verified === true || verified === 'true'
          if (sub && email)
            await admitOrRefuse(oidc, {
              subject: String(sub),
              email,
              name: name ?? '',
              emailVerified,
            })
          return { emailVerified }
        },
      },
    ],
  })
}

const tables = {
  user: {
    modelName: 'users',
    fields: {
      emailVerified: 'email_verified',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
    // The columns are NOT NULL, but `required` would make better-auth expect their values from the OIDC issuer.
    additionalFields: {
      accountId: { type: 'string', required: false, input: false, fieldName: 'account_id' },
      role: { type: 'string', required: false, input: false },
    },
  },
  session: {
    modelName: 'sessions',
    fields: {
      expiresAt: 'expires_at',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      userId: 'user_id',
    },
  },
  account: {
    modelName: 'credentials',
    fields: {
      accountId: 'subject',
      providerId: 'provider_id',
      userId: 'user_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  verification: {
    // Stored as hashes, because the identifiers are in cookies that sign a user in.
    storeIdentifier: 'hashed',
    modelName: 'verifications',
    fields: {
      expiresAt: 'expires_at',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
} as const
