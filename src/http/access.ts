import type { FastifyRequest } from 'fastify'
import type { Scope } from '../accounts/allowance.ts'
import type { Caller } from '../accounts/caller.ts'
import { ServiceError } from '../errors.ts'
import type { PanelUser } from '../people/panel-sessions.ts'
import { authenticate, type CheckKey } from './authenticate.ts'
import { assertOwnOrigin, type CheckSession, requireSession } from './panel/check-session.ts'
import { assertJsonMediaType } from './request/media-type.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the check of the API key. */
    caller: Caller | null
    /** Set by the check of the session. */
    panelUser: PanelUser | null
  }
}

/**
 * The rule that says who may call an operation. `panel` admits every browser, but only a page of the panel may
 * change something. `session` admits a signed-in user; `as: 'caller'` gives the handler a caller, as an API key does.
 */
export type Access =
  | { readonly auth: 'none' }
  | { readonly auth: 'api-key'; readonly scope: Scope | 'any' }
  | { readonly auth: 'panel' }
  | { readonly auth: 'session'; readonly role: 'admin' | 'any' }
  | { readonly auth: 'session'; readonly role: 'any'; readonly as: 'caller' }

export type IdentityOf<A extends Access> = A extends { auth: 'api-key' } | { as: 'caller' }
  ? { readonly caller: Caller }
  : A extends { auth: 'session' }
    ? { readonly user: PanelUser }
    : unknown

export type AccessChecks = {
  checkKey: CheckKey
  checkSession: CheckSession
  /** Returns the caller that stands for a signed-in user in the playground. */
  toPlaygroundCaller: (user: PanelUser) => Promise<Caller>
  /** The panel's origin; undefined: that of the request's `Host`. */
  publicOrigin: string | undefined
}

type Hook = (request: FastifyRequest) => Promise<void>

/**
 * Returns the checks of one operation as hooks. They refuse a request before its body is read, so that only an
 * authenticated caller can make the service read a megabyte.
 */
export function accessHooks(
  access: Access,
  { changes, hasBody }: { changes: boolean; hasBody: boolean },
  checks: AccessChecks,
): { onRequest?: Hook; preHandler?: Hook } {
  const assertFromOurPage = ({ headers }: FastifyRequest) => {
    if (!changes) return
    assertOwnOrigin(headers, checks.publicOrigin)
    assertJsonMediaType(headers['content-type'])
  }
  switch (access.auth) {
    case 'none':
      return {}
    case 'panel':
      return { onRequest: async (request) => assertFromOurPage(request) }
    case 'session': {
      const onRequest: Hook = async (request) => {
        const { headers } = request
        request.panelUser = await requireSession(headers, access.role, checks.checkSession)
        assertFromOurPage(request)
      }
      if (!('as' in access)) return { onRequest }
      const preHandler: Hook = async (request) => {
        if (request.panelUser === null) throw new Error('the session check did not run')
        request.caller = await checks.toPlaygroundCaller(request.panelUser)
      }
      return { onRequest, preHandler }
    }
    case 'api-key':
      return {
        onRequest: async (request) => {
          request.caller = authenticate(request.raw, checks.checkKey)
          requireScope(request.caller, access.scope)
          if (hasBody) assertJsonMediaType(request.headers['content-type'])
        },
      }
  }
}

/** Returns false if a hook of `accessHooks` did not run. */
export function isIdentified(access: Access, { caller, panelUser }: FastifyRequest): boolean {
  switch (access.auth) {
    case 'none':
    case 'panel':
      return true
    case 'api-key':
      return caller !== null
    case 'session':
      return panelUser !== null && (!('as' in access) || caller !== null)
  }
}

function requireScope({ scopes }: Caller, scope: Scope | 'any'): void {
  if (scope === 'any' || scopes.includes(scope)) return
  throw new ServiceError(
    'insufficient_permissions',
    `This URL needs the scope \`${scope}\`. Use an API key that has it.`,
  )
}
