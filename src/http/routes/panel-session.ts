import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PanelAuth } from '../../accounts/panel-auth.ts'
import {
  type Me,
  SetUpRequest,
  type SetUpState,
  SignInRequest,
} from '../../protocol/panel-session.ts'
import { version } from '../../version.ts'
import { askBetterAuth } from '../panel-auth-reply.ts'
import { limitsToWire } from '../panel-limits.ts'
import type { PanelRoute } from '../route.ts'

/** How somebody gets a session, and who it is. */
export function panelSessionRoutes(panelAuth: PanelAuth): PanelRoute[] {
  return [
    {
      method: 'GET',
      url: '/panel/api/setup',
      auth: 'panel',
      handler: async (): Promise<SetUpState> => ({
        needs_setup: await panelAuth.needsSetUp(),
        sign_up: 'closed',
        oidc: null,
        version,
      }),
    },
    {
      method: 'POST',
      url: '/panel/api/setup',
      auth: 'panel',
      body: SetUpRequest,
      handler: async (request, reply) => {
        const wanted = request.body as SetUpRequest
        const { id } = await panelAuth.setUp(wanted)
        await signIn(panelAuth, wanted, request, reply)
        return me(panelAuth, id)
      },
    },
    {
      method: 'GET',
      url: '/panel/api/me',
      auth: 'session',
      role: 'any',
      handler: (_request, _reply, { userId }) => me(panelAuth, userId),
    },
    {
      method: 'POST',
      url: '/panel/api/auth/sign-in/email',
      auth: 'panel',
      body: SignInRequest,
      handler: (request, reply) =>
        askBetterAuth(panelAuth, '/sign-in/email', request, reply, request.body as object),
    },
    {
      method: 'POST',
      url: '/panel/api/auth/sign-out',
      auth: 'session',
      role: 'any',
      handler: (request, reply) => askBetterAuth(panelAuth, '/sign-out', request, reply, {}),
    },
  ]
}

/** Whoever has just got a password need not type it again. */
async function signIn(
  panelAuth: PanelAuth,
  { email, password }: { email: string; password: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const body = { email: email.trim(), password }
  await askBetterAuth(panelAuth, '/sign-in/email', request, reply, body)
}

async function me(panelAuth: PanelAuth, userId: string): Promise<Me> {
  const { user, account } = await panelAuth.findUser(userId)
  return {
    user: {
      id: user.id,
      email: user.email,
      name: user.name,
      role: user.role,
      two_factor_enabled: user.twoFactorEnabled,
    },
    account: { id: account.id, name: account.name, limits: limitsToWire(account.limits) },
  }
}
