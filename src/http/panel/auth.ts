import { parseName } from '../../accounts/name.ts'
import { ServiceError } from '../../errors.ts'
import {
  ChangePasswordRequest,
  CodeRequest,
  IdRequest,
  type PanelSession,
  PasskeyNameRequest,
  PasskeyRequest,
  PasskeySignInRequest,
  PasswordRequest,
  RevokeSessionRequest,
  SignInRequest,
  UpdateUserRequest,
} from '../../protocol/panel-session.ts'
import { NoFields } from '../../protocol/panel-keys.ts'
import { askBetterAuth, redirectByBetterAuth } from './auth-reply.ts'
import type { PanelRoute } from '../route.ts'
import type { PanelServices } from './session.ts'

const base = '/panel/api/auth'
type Path = `/${string}`

/** What of better-auth is served; all else of it is not. Bodies and replies are as it has them. */
export function panelAuthRoutes(services: PanelServices): PanelRoute[] {
  return [
    ...signInRoutes(services),
    ...sessionRoutes(services),
    ...passwordRoutes(services),
    ...passkeyRoutes(services),
    ...oidcRoutes(services),
  ]
}

function signInRoutes({ panelAuth, attempts }: PanelServices): PanelRoute[] {
  const withCode = (path: Path): PanelRoute => ({
    method: 'POST',
    url: base + path,
    auth: 'panel',
    body: CodeRequest,
    handler: async (request, reply) => {
      // better-auth counts the wrong codes of each user besides.
      const succeeded = attempts.begin(request.ip, undefined)
      const answer = await askBetterAuth(panelAuth, path, request, reply, request.body as object)
      succeeded()
      return answer
    },
  })
  return [
    {
      method: 'POST',
      url: `${base}/sign-in/email`,
      auth: 'panel',
      body: SignInRequest,
      handler: async (request, reply) => {
        const { email, ...body } = request.body as SignInRequest
        const address = email.trim().toLowerCase()
        const succeeded = attempts.begin(request.ip, address)
        const wanted = { ...body, email: address }
        const answer = await askBetterAuth(panelAuth, '/sign-in/email', request, reply, wanted)
        succeeded()
        return answer
      },
    },
    withCode('/two-factor/verify-totp'),
    withCode('/two-factor/verify-backup-code'),
    {
      method: 'POST',
      url: `${base}/sign-out`,
      // Whoever has no session any more is out, which is what was wanted.
      auth: 'panel',
      body: NoFields,
      handler: (request, reply) => askBetterAuth(panelAuth, '/sign-out', request, reply, {}),
    },
  ]
}

function sessionRoutes({ panelAuth }: PanelServices): PanelRoute[] {
  const ending = (path: Path): PanelRoute => ({
    method: 'POST',
    url: base + path,
    auth: 'session',
    role: 'any',
    body: NoFields,
    handler: (request, reply) => askBetterAuth(panelAuth, path, request, reply, {}),
  })
  return [
    {
      method: 'GET',
      url: `${base}/list-sessions`,
      auth: 'session',
      role: 'any',
      handler: async (_request, _reply, { userId, sessionId }): Promise<PanelSession[]> =>
        (await panelAuth.listSessions(userId)).map((session) => ({
          id: session.id,
          token: session.id,
          current: session.id === sessionId,
          createdAt: session.created_at,
          expiresAt: session.expires_at,
          ipAddress: session.ip_address,
          userAgent: session.user_agent,
        })),
    },
    {
      method: 'POST',
      url: `${base}/revoke-session`,
      auth: 'session',
      role: 'any',
      body: RevokeSessionRequest,
      handler: async (request, reply, { userId }) => {
        const { token: id } = request.body as RevokeSessionRequest
        const token = await panelAuth.sessionToken(userId, id)
        if (token === undefined)
          throw new ServiceError('not_found', 'There is no such session: it has ended already.', {
            param: 'token',
          })
        return await askBetterAuth(panelAuth, '/revoke-session', request, reply, { token })
      },
    },
    ending('/revoke-sessions'),
    ending('/revoke-other-sessions'),
    {
      method: 'POST',
      url: `${base}/update-user`,
      auth: 'session',
      role: 'any',
      body: UpdateUserRequest,
      handler: (request, reply) => {
        const name = parseName((request.body as UpdateUserRequest).name)
        return askBetterAuth(panelAuth, '/update-user', request, reply, { name })
      },
    },
  ]
}

/** Who asks for these has signed in, and types the password once more. */
function passwordRoutes({ panelAuth, attempts }: PanelServices): PanelRoute[] {
  const withPassword = (path: Path, body: object, more: object = {}): PanelRoute => ({
    method: 'POST',
    url: base + path,
    auth: 'session',
    role: 'any',
    body,
    handler: async (request, reply, { email }) => {
      const succeeded = attempts.begin(request.ip, email)
      const wanted = { ...(request.body as object), ...more }
      const answer = await askBetterAuth(panelAuth, path, request, reply, wanted)
      succeeded()
      return answer
    },
  })
  return [
    withPassword('/change-password', ChangePasswordRequest, { revokeOtherSessions: true }),
    withPassword('/two-factor/enable', PasswordRequest),
    withPassword('/two-factor/disable', PasswordRequest),
    withPassword('/two-factor/get-totp-uri', PasswordRequest),
    withPassword('/two-factor/generate-backup-codes', PasswordRequest),
  ]
}

function passkeyRoutes({ panelAuth, attempts }: PanelServices): PanelRoute[] {
  const ofSession = (method: 'GET' | 'POST', path: Path, body?: object): PanelRoute => ({
    method,
    url: base + path,
    auth: 'session',
    role: 'any',
    ...(body === undefined ? {} : { body }),
    handler: (request, reply) =>
      askBetterAuth(panelAuth, path, request, reply, request.body as object | undefined),
  })
  return [
    {
      method: 'GET',
      url: `${base}/passkey/generate-authenticate-options`,
      auth: 'panel',
      handler: (request, reply) =>
        askBetterAuth(panelAuth, '/passkey/generate-authenticate-options', request, reply),
    },
    {
      method: 'POST',
      url: `${base}/passkey/verify-authentication`,
      auth: 'panel',
      body: PasskeySignInRequest,
      handler: async (request, reply) => {
        const succeeded = attempts.begin(request.ip, undefined)
        const body = request.body as object
        const path = '/passkey/verify-authentication'
        const answer = await askBetterAuth(panelAuth, path, request, reply, body)
        succeeded()
        return answer
      },
    },
    ofSession('GET', '/passkey/generate-register-options'),
    ofSession('POST', '/passkey/verify-registration', PasskeyRequest),
    ofSession('GET', '/passkey/list-user-passkeys'),
    ofSession('POST', '/passkey/delete-passkey', IdRequest),
    ofSession('POST', '/passkey/update-passkey', PasskeyNameRequest),
  ]
}

/** The issuer sends the browser back to `callback`, which sends it on to a page of the panel. */
function oidcRoutes({ panelAuth }: PanelServices): PanelRoute[] {
  return [
    {
      method: 'POST',
      url: `${base}/sign-in/oauth2`,
      auth: 'panel',
      body: NoFields,
      handler: (request, reply) =>
        askBetterAuth(panelAuth, '/sign-in/social', request, reply, {
          provider: 'oidc',
          callbackURL: '/',
          errorCallbackURL: '/sign-in',
          disableRedirect: true,
        }),
    },
    {
      method: 'GET',
      url: `${base}/callback/oidc`,
      auth: 'panel',
      handler: (request, reply) =>
        redirectByBetterAuth(panelAuth, '/callback/oidc', request, reply),
    },
  ]
}
