import type { TObject, TSchema } from 'typebox'
import { parseName } from '../../accounts/name.ts'
import { ServiceError } from '../../errors.ts'
import { authContracts as contracts } from '../../protocol/operations/panel/auth.ts'
import type { HttpReply } from '../reply/http-reply.ts'
import { operation, type PanelOperation, type RequestFacts } from '../operation.ts'
import type { ValueOf } from '../reply/respond.ts'
import { toPanelSession } from '../wire/panel/to-panel-session.ts'
import { askBetterAuth, redirectByBetterAuth } from './auth-reply.ts'
import type { PanelServices } from './session.ts'

const open = { auth: 'panel' } as const
const signedIn = { auth: 'session', role: 'any' } as const

/** The operations of better-auth that are served; no other path of it is. */
export function panelAuthOperations(services: PanelServices): PanelOperation[] {
  return [
    ...signInOperations(services),
    ...sessionOperations(services),
    ...passwordOperations(services),
    ...passkeyOperations(services),
    ...oidcOperations(services),
  ]
}

/** A contract whose path below `/panel/api/auth` and whose answer are those of better-auth. */
type AuthContract<S extends TSchema> = {
  path: `/panel/api/auth/${string}`
  replies: { 200: { content: { 'application/json': S } } }
}
type Ask = <S extends TSchema>(
  contract: AuthContract<S>,
  request: RequestFacts,
  body?: object,
) => Promise<HttpReply<200, ValueOf<S>>>

function asker({ panelAuth }: PanelServices): Ask {
  return (contract, request, body) =>
    askBetterAuth(panelAuth, request, {
      path: `/${contract.path.slice('/panel/api/auth/'.length)}`,
      answer: contract.replies[200].content['application/json'],
      ...(body !== undefined && { body }),
    })
}

/** Asks where a secret is typed: the attempts of the address and of the e-mail address are counted. */
function countingAsker(services: PanelServices) {
  const ask = asker(services)
  return async <S extends TSchema>(
    contract: AuthContract<S>,
    request: RequestFacts,
    body: object,
    email?: string,
  ) => {
    const succeeded = services.attempts.begin(request.ip, email)
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
      return askCounting(contracts.signIn, request, { ...body, email }, email)
    }),
    // better-auth also counts the wrong codes of each user.
    operation(
      contracts.verifyTotp,
      open,
    )(({ request, body }) => askCounting(contracts.verifyTotp, request, body)),
    operation(
      contracts.verifyBackupCode,
      open,
    )(({ request, body }) => askCounting(contracts.verifyBackupCode, request, body)),
    // Open to every browser: signing out succeeds without a session too.
    operation(contracts.signOut, open)(({ request }) => ask(contracts.signOut, request, {})),
  ]
}

function sessionOperations(services: PanelServices): PanelOperation[] {
  const { panelAuth } = services
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
    )(async ({ request, body, user }) => {
      const token = await panelAuth.sessionToken(user.userId, body.token)
      if (token === undefined)
        throw new ServiceError('not_found', 'This session has already ended.', {
          param: 'token',
        })
      return await ask(contracts.revokeSession, request, { token })
    }),
    operation(
      contracts.revokeSessions,
      signedIn,
    )(({ request }) => ask(contracts.revokeSessions, request, {})),
    operation(
      contracts.revokeOtherSessions,
      signedIn,
    )(({ request }) => ask(contracts.revokeOtherSessions, request, {})),
    operation(
      contracts.updateUser,
      signedIn,
    )(({ request, body }) => ask(contracts.updateUser, request, { name: parseName(body.name) })),
  ]
}

/** A signed-in user types the password once more for each of these. */
function passwordOperations(services: PanelServices): PanelOperation[] {
  const askCounting = countingAsker(services)
  const withPassword = <S extends TSchema>(
    contract: AuthContract<S> & { method: 'POST'; body: TObject },
    more: object = {},
  ): PanelOperation =>
    operation(
      contract,
      signedIn,
    )(({ request, body, user }) => askCounting(contract, request, { ...body, ...more }, user.email))
  return [
    withPassword(contracts.changePassword, { revokeOtherSessions: true }),
    withPassword(contracts.enableTotp),
    withPassword(contracts.disableTotp),
    withPassword(contracts.totpUri),
    withPassword(contracts.newBackupCodes),
  ]
}

function passkeyOperations(services: PanelServices): PanelOperation[] {
  const ask = asker(services)
  const askCounting = countingAsker(services)
  return [
    operation(
      contracts.passkeySignInOptions,
      open,
    )(({ request }) => ask(contracts.passkeySignInOptions, request)),
    operation(
      contracts.signInWithPasskey,
      open,
    )(({ request, body }) => askCounting(contracts.signInWithPasskey, request, body)),
    operation(
      contracts.newPasskeyOptions,
      signedIn,
    )(({ request }) => ask(contracts.newPasskeyOptions, request)),
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
    )(({ request, body }) => ask(contracts.deletePasskey, request, body)),
    operation(
      contracts.renamePasskey,
      signedIn,
    )(({ request, body }) => ask(contracts.renamePasskey, request, body)),
  ]
}

/** The issuer sends the browser back to the callback, which sends it on to a page of the panel. */
function oidcOperations({ panelAuth }: PanelServices): PanelOperation[] {
  return [
    operation(
      contracts.signInWithOidc,
      open,
    )(({ request }) =>
      askBetterAuth(panelAuth, request, {
        path: '/sign-in/social',
        answer: contracts.signInWithOidc.replies[200].content['application/json'],
        body: {
          provider: 'oidc',
          callbackURL: '/',
          errorCallbackURL: '/sign-in',
          disableRedirect: true,
        },
      }),
    ),
    operation(
      contracts.oidcCallback,
      open,
    )(({ request }) => redirectByBetterAuth(panelAuth, '/callback/oidc', request)),
  ]
}
