import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Scope } from '../../accounts/scopes.ts'
import type { Caller } from '../../accounts/caller.ts'
import type { Admission } from '../../completions/admission/admission.ts'
import type { Place } from '../../completions/admission/place.ts'
import { Interruption } from '../../completions/interruption.ts'
import { ServiceError } from '../../errors.ts'
import type { PanelUser } from '../../people/panel-sessions.ts'
import { authenticate, type CheckKey } from './authenticate.ts'
import { assertAllowedHost, type IsAllowedHost } from '../origin/allowed-hosts.ts'
import { assertOwnOrigin, type CheckSession, requireSession } from './check-session.ts'
import { countDeclaredBytes } from '../request/body/parse-bodies.ts'
import { assertJsonBody } from '../request/media-type.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Caller of the request, set by the API key check. */
    caller: Caller | null
    /** Signed-in user, set by the session check. */
    panelUser: PanelUser | null
    /** The request's place in admission control, set for operations with `takes: 'place'`. */
    place: Place | null
  }
}

/**
 * Says who may call an operation. `panel` admits any browser that reaches the service under one of its own host names,
 * but only the panel's own pages may make changes. `session` admits a signed-in user; with `as: 'caller'` the handler
 * also gets a caller, as it does with an API key. `takes: 'place'` marks an operation that uses the engine: the service
 * reads its body only once admission control has given the request a place.
 */
export type Access =
  | { readonly auth: 'none' }
  | { readonly auth: 'api-key'; readonly scope: Scope | 'any'; readonly takes?: 'place' }
  | { readonly auth: 'panel' }
  | { readonly auth: 'session'; readonly role: 'admin' | 'any' }
  | {
      readonly auth: 'session'
      readonly role: 'any'
      readonly as: 'caller'
      readonly takes?: 'place'
    }

export type IdentityOf<A extends Access> = (A extends { auth: 'api-key' } | { as: 'caller' }
  ? { readonly caller: Caller }
  : A extends { auth: 'session' }
    ? { readonly user: PanelUser }
    : unknown) &
  (A extends { takes: 'place' } ? { readonly place: Place } : unknown)

export type AccessChecks = {
  checkKey: CheckKey
  checkSession: CheckSession
  /** Returns the caller under which a signed-in user's playground requests run. */
  toPlaygroundCaller: (user: PanelUser) => Promise<Caller>
  /** The panel's origin. If undefined, it is derived from the request's `Host`. */
  publicOrigin: string | undefined
  isAllowedHost: IsAllowedHost
  admission: Pick<Admission, 'enter'>
}

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/**
 * Returns one operation's access checks as hooks. They run before the body is read, so an unauthenticated client cannot
 * make the service read a megabyte. A body may take half a minute to arrive, so a change by a signed-in user checks the
 * session and the role again after it. A caller needs no second check: its signal aborts when the session ends.
 */
export function accessHooks(
  access: Access,
  { changes, hasBody }: { changes: boolean; hasBody: boolean },
  checks: AccessChecks,
): { onRequest?: Hook; preHandler?: Hook } {
  const assertFromOurPage = (request: FastifyRequest) => {
    if (!changes) return
    assertOwnOrigin(request, checks.publicOrigin)
    assertJsonBody(request.headers)
  }
  switch (access.auth) {
    case 'none':
      return {}
    case 'panel':
      return {
        onRequest: async (request) => {
          assertAllowedHost(request.host, checks.isAllowedHost)
          assertFromOurPage(request)
        },
      }
    case 'session': {
      const findUser = async (request: FastifyRequest) => {
        const user = await requireSession(request.headers, access.role, checks.checkSession)
        request.panelUser = user
        return user
      }
      return {
        onRequest: async (request, reply) => {
          assertAllowedHost(request.host, checks.isAllowedHost)
          const user = await findUser(request)
          assertFromOurPage(request)
          if (!('as' in access)) return
          request.caller = await checks.toPlaygroundCaller(user)
          if (access.takes === 'place') takePlace(request, reply, checks.admission)
        },
        ...(changes &&
          !('as' in access) && {
            preHandler: async (request) => {
              await findUser(request)
            },
          }),
      }
    }
    case 'api-key':
      return {
        onRequest: async (request, reply) => {
          request.caller = authenticate(request.raw, checks.checkKey)
          requireScope(request.caller, access.scope)
          if (hasBody) assertJsonBody(request.headers)
          if (access.takes === 'place') takePlace(request, reply, checks.admission)
        },
      }
  }
}

/**
 * Takes a place in admission control for the request. Gives the place up if the response closes before the work on the
 * request starts.
 * @throws ServiceError overloaded, rate_limit_exceeded; Interruption if the client has left
 */
function takePlace(
  request: FastifyRequest,
  { raw: response }: FastifyReply,
  admission: Pick<Admission, 'enter'>,
): void {
  if (request.caller === null) throw new Error('the access check did not run')
  const place = admission.enter(request.caller)
  request.place = place
  if (response.closed) {
    // The client has left during the checks, so no body will come.
    place.leaveUnstarted()
    throw new Interruption('client_abort')
  }
  response.on('close', () => place.leaveUnstarted())
  countDeclaredBytes(request)
}

/** Returns false if a hook of `accessHooks` did not run. */
export function isIdentified(access: Access, request: FastifyRequest): boolean {
  const { caller, panelUser, place } = request
  const hasPlace = !('takes' in access) || place !== null
  switch (access.auth) {
    case 'none':
    case 'panel':
      return true
    case 'api-key':
      return caller !== null && hasPlace
    case 'session':
      return panelUser !== null && (!('as' in access) || caller !== null) && hasPlace
  }
}

function requireScope({ scopes }: Caller, scope: Scope | 'any'): void {
  if (scope === 'any' || scopes.includes(scope)) return
  throw new ServiceError(
    'insufficient_permissions',
    `This URL needs the scope \`${scope}\`. Use an API key that has it.`,
  )
}
