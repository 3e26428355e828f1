import type { TObject, TSchema } from 'typebox'
import { parseName } from '../../accounts/name.ts'
import { ServiceError } from '../../errors.ts'
import { authContracts as contracts } from '../../protocol/operations/panel/auth.ts'
import { HttpResponse } from '../reply/http-response.ts'
import { operation, type PanelOperation, type RequestFacts } from '../operation.ts'
import type { ValueOf } from '../reply/respond.ts'
import { toPanelSession } from '../wire/panel/to-panel-session.ts'
import { askBetterAuth, redirectByBetterAuth } from './auth-reply.ts'
import type { PanelServices } from './session.ts'
import { signedIn } from '../access/check-session.ts'

const open = { auth: 'panel' } as const

/** The better-auth operations that the service offers. No other better-auth path is served. */
export function panelAuthOperations(services: PanelServices): PanelOperation[] {
  return [
    ...signInOperations(services),
    ...sessionOperations(services),
    ...passwordOperations(services),
    ...passkeyOperations(services),
    ...oidcOperations(services),
  ]
}

/** A contract with the same path (below `/panel/api/auth`) and the same response as in better-auth. */
type AuthContract<S extends TSchema> = {
  path: `/panel/api/auth/${string}`
  replies: { 200: { content: { 'application/json': S } } }
}
type Ask = <S extends TSchema>(
  contract: AuthContract<S>,
  request: RequestFacts,
  body?: object,
) => Promise<HttpResponse<200, ValueOf<S>>>

function asker({ panelAuth }: PanelServices): Ask {
  return (contract, request, body) =>
    askBetterAuth(panelAuth, request, {
      path: `/${contract.path.slice('/panel/api/auth/'.length)}`,
      answer: contract.replies[200].content['application/json'],
      ...(body !== undefined && { body }),
    })
}

/** Returns a function that lets better-auth check a credential, such as a password, and counts failed attempts. */
function countingAsker(services: PanelServices) {
  const ask = asker(services)
  return async <S extends TSchema>(
    contract: AuthContract<S>,
    request: RequestFacts,
    body: object,
    target?: { secret: 'password' | 'code'; email: string },
  ) => {
    const succeeded = services.attempts.begin(request, target)
    const answer = await ask(contract, request, body)
    succeeded()
    return answer
  }
}

function signInOperations(services: PanelServices): PanelOperation[] {
  const ask = asker(services)
  const askCounting = countingAsker(services)
  return [
    operation(
      contracts.signIn,
      open,
    )(({ request, body }) => {
      const email = body.email.trim().toLowerCase()
      const target = { secret: 'password', email } as const
      return askCounting(contracts.signIn, request, { ...body, email }, target)
    }),
    operation(
      contracts.verifyTotp,
      open,
    )(async ({ request, body }) => {
      const email = await services.panelAuth.findPendingUser(request.headers)
      const target = email === undefined ? undefined : ({ secret: 'code', email } as const)
      return askCounting(contracts.verifyTotp, request, body, target)
    }),
    operation(
      contracts.verifyBackupCode,
      open,
    )(({ request, body }) => askCounting(contracts.verifyBackupCode, request, body)),
    // Open to every browser: signing out succeeds without a session too.
    operation(contracts.signOut, open)(({ request }) => ask(contracts.signOut, request, {})),
  ]
}

function sessionOperations(services: PanelServices): PanelOperation[] {
  const { panelAuth, panelAccounts } = services
  const ask = asker(services)
  return [
    operation(
      contracts.listSessions,
      signedIn,
    )(async ({ user: { userId, sessionId } }) => {
      const sessions = await panelAuth.listSessions(userId)
      return sessions.map((session) => toPanelSession(session, sessionId))
    }),
    operation(
      contracts.revokeSession,
      signedIn,
    )(async ({ body, user }) => {
      if ((await panelAuth.endSessions(user.userId, 'only', body.token)) > 0) return {}
      throw new ServiceError('not_found', 'This session has already ended.', { param: 'token' })
    }),
    operation(
      contracts.revokeSessions,
      signedIn,
    )(async ({ request, user }) => {
      await panelAuth.endPendingSignIns(user.userId)
      return await ask(contracts.revokeSessions, request, {})
    }),
    operation(
      contracts.revokeOtherSessions,
      signedIn,
    )(async ({ user }) => {
      await panelAuth.endSessions(user.userId, 'all-but', user.sessionId)
      return {}
    }),
    operation(
      contracts.updateUser,
      signedIn,
    )(async ({ request, body, user }) => {
      const name = parseName(body.name)
      const renamed = await ask(contracts.updateUser, request, { name })
      await panelAccounts.renameOwn(user, name)
      return renamed
    }),
  ]
}

/** Operations after which a sign-in with the earlier password or second factor must not be completed. */
const endsSignIns: ReadonlySet<string> = new Set([
  contracts.changePassword.path,
  contracts.enableTotp.path,
  contracts.disableTotp.path,
])

/** Operations for which a signed-in user must enter the password again. */
function passwordOperations(services: PanelServices): PanelOperation[] {
  const askCounting = countingAsker(services)
  const withPassword = <S extends TSchema>(
    contract: AuthContract<S> & { method: 'POST'; body: TObject },
    more: object = {},
  ): PanelOperation =>
    operation(
      contract,
      signedIn,
    )(async ({ request, body, user: { email, userId } }) => {
      // better-auth would call every password incorrect.
      if (!(await services.panelAuth.hasPassword(userId)))
        throw new ServiceError(
          'invalid_credentials',
          'You have no password. Ask an admin for a password reset link to set one.',
        )
      const target = { secret: 'password', email } as const
      const answer = await askCounting(contract, request, { ...body, ...more }, target)
      if (endsSignIns.has(contract.path)) await services.panelAuth.endPendingSignIns(userId)
      return answer
    })
  return [
    withPassword(contracts.changePassword, { revokeOtherSessions: true }),
    withPassword(contracts.enableTotp),
    withPassword(contracts.disableTotp),
    withPassword(contracts.totpUri),
    withPassword(contracts.newBackupCodes),
  ]
}

function passkeyOperations(services: PanelServices): PanelOperation[] {
  const { panelAuth, attempts } = services
  const ask = asker(services)
  const askCounting = countingAsker(services)
  return [
    operation(
      contracts.passkeySignInOptions,
      open,
    )(async ({ request }) => {
      // Each challenge for a passkey is stored for minutes, so it counts as an attempt until a sign-in succeeds.
      attempts.begin(request)
      const { body, headers } = await ask(contracts.passkeySignInOptions, request)
      // better-auth always writes `preferred`, but people/ accepts no passkey whose device did not check the user.
      return new HttpResponse(200, { ...body, userVerification: 'required' }, headers)
    }),
    operation(
      contracts.signInWithPasskey,
      open,
    )(async ({ request, body }) => {
      const answer = await askCounting(contracts.signInWithPasskey, request, body)
      attempts.takeBackEarlier(request)
      return answer
    }),
    operation(
      contracts.newPasskeyOptions,
      signedIn,
    )(async ({ request, body, user }) => {
      // A passkey can be added only with this answer, so an old session alone is not enough to add one.
      if (await panelAuth.hasPassword(user.userId)) {
        const succeeded = attempts.begin(request, { secret: 'password', email: user.email })
        await panelAuth.checkPassword(user.userId, body.password)
        succeeded()
      } else panelAuth.checkRecentSignIn(user)
      return await ask(contracts.newPasskeyOptions, request)
    }),
    operation(
      contracts.addPasskey,
      signedIn,
    )(({ request, body }) => ask(contracts.addPasskey, request, body)),
    operation(
      contracts.listPasskeys,
      signedIn,
    )(({ request }) => ask(contracts.listPasskeys, request)),
    operation(
      contracts.deletePasskey,
      signedIn,
    )(async ({ body, user }) => {
      await panelAuth.deletePasskey(user, body.id)
      return {}
    }),
    operation(
      contracts.renamePasskey,
      signedIn,
    )(({ request, body }) => ask(contracts.renamePasskey, request, body)),
  ]
}

const signedInPage = '/'

/** OIDC sign-in. The issuer sends the browser back to the callback, which redirects it to a page of the panel. */
function oidcOperations({ panelAuth, attempts }: PanelServices): PanelOperation[] {
  return [
    operation(
      contracts.signInWithOidc,
      open,
    )(({ request }) => {
      // The state of each sign-in is stored for minutes, so it counts as an attempt until the sign-in succeeds.
      attempts.begin(request)
      return askBetterAuth(panelAuth, request, {
        path: '/sign-in/social',
        answer: contracts.signInWithOidc.replies[200].content['application/json'],
        body: {
          provider: 'oidc',
          callbackURL: signedInPage,
          errorCallbackURL: '/sign-in',
          disableRedirect: true,
        },
      })
    }),
    operation(
      contracts.oidcCallback,
      open,
    )(async ({ request }) => {
      const redirect = await redirectByBetterAuth(panelAuth, '/callback/oidc', request)
      if (redirect.headers.location === signedInPage) attempts.takeBackEarlier(request)
      return redirect
    }),
  ]
}
