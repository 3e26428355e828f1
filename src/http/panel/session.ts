import { Type } from 'typebox'
import { passwordCharsMin } from '../../limits.ts'
import type { Attempts } from '../../people/attempts.ts'
import type { PanelAccounts } from '../../people/panel-accounts.ts'
import type { PanelAuth } from '../../people/panel-auth.ts'
import { SignInStep } from '../../protocol/operations/panel/auth-replies.ts'
import { sessionContracts as contracts } from '../../protocol/operations/panel/session.ts'
import type { Me, SetUpState } from '../../protocol/panel-session.ts'
import { version } from '../../version.ts'
import { HttpReply } from '../reply/http-reply.ts'
import { operation, type PanelOperation, type RequestFacts } from '../operation.ts'
import { toMe } from '../wire/panel/to-me.ts'
import { askBetterAuth } from './auth-reply.ts'

export type PanelServices = {
  panelAuth: PanelAuth
  panelAccounts: PanelAccounts
  attempts: Attempts
  signUp: SetUpState['sign_up']
  /** The name of the OIDC issuer; undefined without one. */
  oidcName: string | undefined
}

/** Set-up, sign-up and password reset, and the account of the signed-in user. */
export function panelSessionOperations(services: PanelServices): PanelOperation[] {
  const { panelAuth, panelAccounts, attempts, signUp, oidcName } = services
  const open = { auth: 'panel' } as const
  return [
    operation(
      contracts.setUpState,
      open,
    )(async () => {
      panelAuth.warmUp()
      return {
        needs_setup: await panelAccounts.needsSetUp(),
        sign_up: signUp,
        oidc: oidcName === undefined ? null : { name: oidcName },
        password_chars_min: passwordCharsMin,
        version,
      }
    }),
    operation(
      contracts.setUp,
      open,
    )(async ({ body, request }) => {
      attempts.begin(request.ip, undefined)
      const { id } = await panelAccounts.setUp(body)
      return await signIn(services, request, id, body)
    }),
    operation(
      contracts.signUp,
      open,
    )(async ({ body, request }) => {
      attempts.begin(request.ip, undefined)
      const { id } = await panelAccounts.signUp(body)
      return await signIn(services, request, id, body)
    }),
    operation(
      contracts.resetPassword,
      open,
    )(async ({ body, request }) => {
      const succeeded = attempts.begin(request.ip, undefined)
      await panelAccounts.resetPassword(body)
      succeeded()
      return {}
    }),
    operation(contracts.me, { auth: 'session', role: 'any' })(async ({ request, user }) => {
      // Reading the session extends it, so the browser needs the new cookie.
      const session = { path: '/get-session', answer: Type.Unknown() } as const
      const { headers } = await askBetterAuth(panelAuth, request, session)
      return new HttpReply(200, toMe(await panelAccounts.findUser(user.userId)), headers)
    }),
  ]
}

/** Signs a new user in with the password that was just typed. */
async function signIn(
  { panelAuth, panelAccounts }: PanelServices,
  request: RequestFacts,
  userId: string,
  { email, password }: { email: string; password: string },
): Promise<HttpReply<200, Me>> {
  const { headers } = await askBetterAuth(panelAuth, request, {
    path: '/sign-in/email',
    answer: SignInStep,
    body: { email: email.trim(), password },
  })
  return new HttpReply(200, toMe(await panelAccounts.findUser(userId)), headers)
}
