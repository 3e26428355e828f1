import { Type } from 'typebox'
import { ServiceError } from '../../errors.ts'
import { passwordCharsMin } from '../../sign-in-limits.ts'
import type { Attempts } from '../../people/attempts/attempts.ts'
import type { Devices } from '../../people/attempts/devices.ts'
import type { PanelAccounts } from '../../people/panel-accounts.ts'
import type { PanelAuth } from '../../people/panel-auth.ts'
import { SignInStep } from '../../protocol/operations/panel/auth-replies.ts'
import { sessionContracts as contracts } from '../../protocol/operations/panel/session.ts'
import type { Me } from '../../protocol/panel-session.ts'
import { version } from '../../version.ts'
import { HttpResponse } from '../reply/http-response.ts'
import { operation, type PanelOperation, type RequestFacts } from '../operation.ts'
import { toMe } from '../wire/panel/to-me.ts'
import { askBetterAuth } from './auth-reply.ts'
import { signedIn } from '../access/check-session.ts'

export type PanelServices = {
  panelAuth: PanelAuth
  panelAccounts: PanelAccounts
  attempts: Attempts
  devices: Devices
  /** The name of the OIDC issuer; undefined without one. */
  oidcName: string | undefined
}

/** Set-up, sign-up and password reset, and the account of the signed-in user. */
export function panelSessionOperations(services: PanelServices): PanelOperation[] {
  const { panelAuth, panelAccounts, attempts, devices, oidcName } = services
  const open = { auth: 'panel' } as const
  return [
    operation(
      contracts.setUpState,
      open,
    )(async () => {
      panelAuth.warmUp()
      return {
        needs_setup: await panelAccounts.needsSetUp(),
        sign_up: await panelAccounts.signUpPolicy.mode(),
        oidc: oidcName === undefined ? null : { name: oidcName },
        password_chars_min: passwordCharsMin,
        version,
      }
    }),
    operation(
      contracts.setUp,
      open,
    )(async ({ body, request }) => {
      attempts.begin(request)
      const { id } = await panelAccounts.setUp(body)
      return await signIn(services, request, id, body)
    }),
    operation(
      contracts.signUp,
      open,
    )(async ({ body, request }) => {
      attempts.begin(request)
      const { id } = await panelAccounts.signUp(body)
      return await signIn(services, request, id, body)
    }),
    operation(
      contracts.resetPassword,
      open,
    )(async ({ body, request }) => {
      const succeeded = attempts.begin(request)
      const { email } = await panelAccounts.resetPassword(body)
      succeeded()
      return await signInAfterReset(services, request, { email, password: body.password })
    }),
    operation(
      contracts.findResetLink,
      open,
    )(async ({ body }) => {
      const { email, name } = await panelAccounts.findResetUser(body.secret)
      return { email, name }
    }),
    operation(
      contracts.findInvite,
      open,
    )(async ({ body }) => await panelAccounts.findInviteOffer(body.secret)),
    operation(
      contracts.me,
      signedIn,
    )(async ({ request, user }) => {
      // Reading the session extends it, so the browser needs the new cookie.
      const session = { path: '/get-session', answer: Type.Unknown() } as const
      const { headers } = await askBetterAuth(panelAuth, request, session)
      const device = devices.remember(request.headers.cookie, user.email)
      const cookies = [headers?.['set-cookie'] ?? [], device ?? []].flat()
      const me = await readMe(services, user.userId)
      return new HttpResponse(200, me, cookies.length === 0 ? {} : { 'set-cookie': cookies })
    }),
  ]
}

async function readMe({ panelAuth, panelAccounts }: PanelServices, userId: string): Promise<Me> {
  return toMe(await panelAccounts.findUser(userId), await panelAuth.hasPassword(userId))
}

/** Signs the user in with the new password, unless that needs a second factor or the account is disabled. */
async function signInAfterReset(
  { panelAuth }: PanelServices,
  request: RequestFacts,
  body: { email: string; password: string },
): Promise<HttpResponse<200, { signed_in: boolean }>> {
  const asked = { path: '/sign-in/email', answer: SignInStep, body } as const
  try {
    const { body: step, headers } = await askBetterAuth(panelAuth, request, asked)
    if (step.twoFactorRedirect !== true) return new HttpResponse(200, { signed_in: true }, headers)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
  }
  return new HttpResponse(200, { signed_in: false })
}

/** Signs a new user in with the password that was just typed. */
async function signIn(
  services: PanelServices,
  request: RequestFacts,
  userId: string,
  { email, password }: { email: string; password: string },
): Promise<HttpResponse<200, Me>> {
  const { headers } = await askBetterAuth(services.panelAuth, request, {
    path: '/sign-in/email',
    answer: SignInStep,
    body: { email: email.trim(), password },
  })
  return new HttpResponse(200, await readMe(services, userId), headers)
}
