import { passkey } from '@better-auth/passkey'
import { betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { ServiceError } from '../errors.ts'
import { passwordCharsMax, passwordCharsMin, sessionDays, sessionRefreshDays } from '../limits.ts'
import type { Database } from '../storage/database.ts'
import { databaseDialect } from '../storage/kysely-dialect.ts'
import type { Logger } from '../telemetry/logger.ts'

export type AuthSettings = {
  database: Database
  logger: Logger
  /** Where browsers reach the service; https makes the cookies secure. */
  url: string
  /** Signs the cookies. */
  secret: string
  isDisabled: (userId: string) => Promise<boolean>
  oidc?: OidcSettings
}

export type OidcSettings = {
  discoveryUrl: string
  clientId: string
  clientSecret: string
  name: string
  /** Whether somebody may come for the first time. */
  mayCreate: boolean
  /** @throws ServiceError sign_up_closed */
  admit: (user: { email: string; name: string }) => Promise<NewOidcUser>
}

export type NewOidcUser = {
  email: string
  name: string
  accountId: string
  role: 'admin' | 'member'
}

export const authPath = '/panel/api/auth'
/** The one header in which the network address of a request is told to better-auth; never a client's own. */
export const addressHeader = 'x-pipit-address'
export const oidcProvider = 'oidc'
const daySeconds = 86_400

export type Auth = ReturnType<typeof createAuth>

/** better-auth on the tables of migration 0005. What of it is served, http/panel/auth says. */
export function createAuth(settings: AuthSettings) {
  const { url, secret, logger, oidc } = settings
  return betterAuth({
    appName: 'Pipit',
    baseURL: url,
    basePath: authPath,
    secret,
    database: { dialect: databaseDialect(settings.database), type: 'sqlite' },
    trustedOrigins: [url],
    ...tables,
    session: {
      ...tables.session,
      expiresIn: sessionDays * daySeconds,
      updateAge: sessionRefreshDays * daySeconds,
    },
    // One who proves to be somebody at the issuer gets nothing of whom else has the same e-mail address here.
    account: {
      ...tables.account,
      accountLinking: { disableImplicitLinking: true },
      updateAccountOnSignIn: false,
    },
    emailAndPassword: {
      enabled: true,
      // Accounts are made by ./users, which knows who may have one.
      disableSignUp: true,
      minPasswordLength: passwordCharsMin,
      maxPasswordLength: passwordCharsMax,
    },
    databaseHooks: {
      user: {
        create: {
          before: async (user) => {
            // All others are made by ./users.
            if (oidc === undefined) return false
            return { data: { ...user, ...(await admit(oidc, user)) } }
          },
        },
      },
      account: {
        create: {
          // Who somebody is has been told; the issuer's tokens would be of no use but to a thief.
          before: async (account) => ({
            data: { ...account, accessToken: null, refreshToken: null, idToken: null },
          }),
        },
      },
      session: {
        create: {
          before: async ({ userId }) => {
            if (await settings.isDisabled(userId))
              throw new APIError('FORBIDDEN', { code: 'ACCOUNT_DISABLED' })
          },
          // Whoever knew the id of the session before has nothing of the one after.
          after: async ({ token }, context) => {
            if (context === null) return
            const { authCookies, internalAdapter } = context.context
            const before = await context.getSignedCookie(authCookies.sessionToken.name, secret)
            if (typeof before === 'string' && before !== token)
              await internalAdapter.deleteSession(before)
          },
        },
      },
    },
    plugins: [
      twoFactor({ issuer: 'Pipit', schema: twoFactorTables }),
      passkey({
        rpName: 'Pipit',
        rpID: passkeyHost(url),
        origin: passkeyOrigin(url),
        schema: passkeyTables,
      }),
      ...(oidc === undefined ? [] : [oidcPlugin(oidc)]),
    ],
    // http/ checks the origin of every request and counts the attempts.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    onAPIError: {
      onError: (error) => {
        const status = error instanceof Error && 'statusCode' in error ? error.statusCode : 500
        if (Number(status) >= 500) logger.error('better-auth failed', { error })
      },
    },
    advanced: {
      ipAddress: { ipAddressHeaders: [addressHeader] },
      cookiePrefix: cookiePrefix(url),
      useSecureCookies: false,
      // It would be, where it takes the process for a test.
      disableOriginCheck: false,
      defaultCookieAttributes: { secure: isSecure(url) },
      // A test holds the tables against what better-auth expects.
      database: { validateSchema: false },
    },
  })
}

/** `__Host-`: a browser takes it over https only, for this host and every path of it. */
function cookiePrefix(url: string): string {
  return isSecure(url) ? '__Host-pipit' : 'pipit'
}

function isSecure(url: string): boolean {
  return url.startsWith('https:')
}

async function admit(oidc: OidcSettings, user: { email: string; name: string }) {
  try {
    return await oidc.admit(user)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new APIError('FORBIDDEN', { code: error.code, message: error.message })
  }
}

function oidcPlugin({ discoveryUrl, clientId, clientSecret, name, mayCreate }: OidcSettings) {
  const credentials = { discoveryUrl, clientId, clientSecret }
  return genericOAuth({
    config: [
      {
        providerId: oidcProvider,
        name,
        ...credentials,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        requireIdTokenVerification: true,
        disableSignUp: !mayCreate,
      },
    ],
  })
}

/** A passkey belongs to a name, and an address is none; on this machine the name is localhost. */
function passkeyHost(url: string): string {
  const { hostname } = new URL(url)
  return /^(127\.|\[)/.test(hostname) ? 'localhost' : hostname
}

function passkeyOrigin(url: string): string {
  const origin = new URL(url)
  origin.hostname = passkeyHost(url)
  return origin.origin
}

const tables = {
  user: {
    modelName: 'users',
    fields: {
      emailVerified: 'email_verified',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
    // The columns take no null. `required` would ask the issuer of OIDC for them, whom `input` forbids.
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
    modelName: 'verifications',
    fields: {
      expiresAt: 'expires_at',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
} as const

const twoFactorTables = {
  user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
  twoFactor: {
    modelName: 'two_factors',
    fields: {
      backupCodes: 'backup_codes',
      userId: 'user_id',
      failedVerificationCount: 'failed_verification_count',
      lockedUntil: 'locked_until',
    },
  },
} as const

const passkeyTables = {
  passkey: {
    modelName: 'passkeys',
    fields: {
      publicKey: 'public_key',
      userId: 'user_id',
      credentialID: 'credential_id',
      deviceType: 'device_type',
      backedUp: 'backed_up',
      createdAt: 'created_at',
    },
  },
} as const
