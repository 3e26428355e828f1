import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Attempts } from '../../people/attempts.ts'
import type { PanelAccounts } from '../../people/panel-accounts.ts'
import type { PanelAuth } from '../../people/panel-auth.ts'
import { passwordCharsMin } from '../../limits.ts'
import {
  type Me,
  ResetPasswordRequest,
  SetUpRequest,
  type SetUpState,
  SignUpRequest,
} from '../../protocol/panel-session.ts'
import { version } from '../../version.ts'
import { askBetterAuth } from './auth-reply.ts'
import { limitsToWire } from '../wire/limits.ts'
import type { PanelRoute } from '../route.ts'

export type PanelServices = {
  panelAuth: PanelAuth
  panelAccounts: PanelAccounts
  attempts: Attempts
  signUp: SetUpState['sign_up']
  /** Of the issuer of OIDC; undefined: there is none. */
  oidcName: string | undefined
}

/** How somebody gets an account, and who has signed in. */
export function panelSessionRoutes(services: PanelServices): PanelRoute[] {
  const { panelAccounts, attempts, signUp, oidcName } = services
  return [
    {
      method: 'GET',
      url: '/panel/api/setup',
      auth: 'panel',
      handler: async (): Promise<SetUpState> => {
        services.panelAuth.warmUp()
        return {
          needs_setup: await panelAccounts.needsSetUp(),
          sign_up: signUp,
          oidc: oidcName === undefined ? null : { name: oidcName },
          password_chars_min: passwordCharsMin,
          version,
        }
      },
    },
    {
      method: 'POST',
      url: '/panel/api/setup',
      auth: 'panel',
      body: SetUpRequest,
      handler: async (request, reply) => {
        attempts.begin(request.ip, undefined)
        const wanted = request.body as SetUpRequest
        const { id } = await panelAccounts.setUp(wanted)
        return await signIn(services, id, wanted, request, reply)
      },
    },
    {
      method: 'POST',
      url: '/panel/api/sign-up',
      auth: 'panel',
      body: SignUpRequest,
      handler: async (request, reply) => {
        attempts.begin(request.ip, undefined)
        const wanted = request.body as SignUpRequest
        const { id } = await panelAccounts.signUp(wanted)
        return await signIn(services, id, wanted, request, reply)
      },
    },
    {
      method: 'POST',
      url: '/panel/api/reset-password',
      auth: 'panel',
      body: ResetPasswordRequest,
      handler: async (request) => {
        const succeeded = attempts.begin(request.ip, undefined)
        await panelAccounts.resetPassword(request.body as ResetPasswordRequest)
        succeeded()
        return {}
      },
    },
    {
      method: 'GET',
      url: '/panel/api/me',
      auth: 'session',
      role: 'any',
      handler: async (request, reply, { userId }) => {
        // A session that is used goes on; its cookie must know.
        await askBetterAuth(services.panelAuth, '/get-session', request, reply)
        return await me(panelAccounts, userId)
      },
    },
  ]
}

/** Whoever has just typed a password need not type it again. */
async function signIn(
  { panelAuth, panelAccounts }: PanelServices,
  userId: string,
  { email, password }: { email: string; password: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Me> {
  const body = { email: email.trim(), password }
  await askBetterAuth(panelAuth, '/sign-in/email', request, reply, body)
  return await me(panelAccounts, userId)
}

async function me(panelAccounts: PanelAccounts, userId: string): Promise<Me> {
  const { account, twoFactorEnabled, ...user } = await panelAccounts.findUser(userId)
  return {
    user: { ...user, two_factor_enabled: twoFactorEnabled },
    account: { id: account.id, name: account.name, limits: limitsToWire(account.limits) },
  }
}
