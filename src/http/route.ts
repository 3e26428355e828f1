import type { FastifyInstance, FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify'
import type { Scope } from '../accounts/allowance.ts'
import type { Caller } from '../accounts/api-keys.ts'
import type { PanelUser } from '../people/panel-sessions.ts'
import { type ErrorCode, ServiceError } from '../errors.ts'
import { authenticate, type CheckKey } from './authenticate.ts'
import { assertJsonMediaType } from './request/media-type.ts'
import { assertOwnOrigin, type CheckSession, requireSession } from './panel/check-session.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Once its key is checked. */
    caller: Caller | null
    /** Once the session is checked. */
    panelUser: PanelUser | null
  }
}

type Common = {
  method: 'GET' | 'POST'
  url: string
  /** JSON Schema of the body. */
  body?: object
}
type Documented = Common & { doc: RouteDoc }

/** What /openapi.json says of a route beyond what follows from its method, URL, key and body. */
export type RouteDoc = {
  operationId: string
  summary: string
  description?: string
  parameters?: readonly ParameterDoc[]
  /** By status. */
  replies: Readonly<Record<number, ReplyDoc>>
  /** Beyond those of every route, of every key check and of every body. */
  errors: readonly ErrorCode[]
}
export type ParameterDoc = {
  name: string
  in: 'path' | 'query' | 'header'
  schema: object
  description: string
}
export type ReplyDoc = {
  description: string
  /** JSON Schema of the body; of each event, where the media type is an event stream. */
  content: Readonly<Record<string, object>>
  /** Names, beside those of every reply. */
  headers?: readonly string[]
}
type PublicHandler = (request: FastifyRequest, reply: FastifyReply) => unknown
type CallerHandler = (request: FastifyRequest, reply: FastifyReply, caller: Caller) => unknown
type UserHandler = (request: FastifyRequest, reply: FastifyReply, user: PanelUser) => unknown

/**
 * The only way to serve a path. `auth`, `scope` and `role` have no default: a route that does not say who
 * may call it does not compile, and only a route that checks who calls is given a caller or a user.
 * `panel`: anybody, but what may change something only from a page of ours; `session`: who has signed in.
 */
export type Route = ApiRoute | PanelRoute
export type ApiRoute = Documented &
  (
    | { auth: 'none'; handler: PublicHandler }
    | { auth: 'api-key'; scope: Scope | 'any'; handler: CallerHandler }
  )
export type PanelRoute = Common &
  (
    | { auth: 'panel'; handler: PublicHandler }
    | { auth: 'session'; role: 'admin' | 'any'; handler: UserHandler }
  )

export type RouteChecks = {
  checkKey: CheckKey
  checkSession: CheckSession
  /** As browsers name it; undefined: whatever address they have reached us at. */
  publicOrigin: string | undefined
}

export function addRoute(app: FastifyInstance, checks: RouteChecks, route: Route): void {
  const { method, url } = route
  const schema = route.body === undefined ? {} : { body: route.body }
  const assertFromOurPage = (request: FastifyRequest) => {
    if (method === 'GET') return
    assertOwnOrigin(request.headers, checks.publicOrigin)
    assertJsonMediaType(request.headers['content-type'])
  }
  switch (route.auth) {
    case 'none':
      app.route<RouteGenericInterface>({ method, url, schema, handler: route.handler })
      return
    case 'panel':
      app.route<RouteGenericInterface>({
        method,
        url,
        schema,
        onRequest: async (request) => assertFromOurPage(request),
        handler: route.handler,
      })
      return
    case 'session':
      app.route<RouteGenericInterface>({
        method,
        url,
        schema,
        onRequest: async (request) => {
          request.panelUser = await requireSession(request.headers, route.role, checks.checkSession)
          assertFromOurPage(request)
        },
        handler: (request, reply) => {
          if (request.panelUser === null) throw new Error('the session check did not run')
          return route.handler(request, reply, request.panelUser)
        },
      })
      return
    case 'api-key':
      app.route<RouteGenericInterface>({
        method,
        url,
        schema,
        // Before the body is read: who has no key cannot make us read a megabyte.
        onRequest: async (request) => {
          request.caller = authenticate(request.raw, checks.checkKey)
          requireScope(request.caller, route.scope)
          if (route.body !== undefined) assertJsonMediaType(request.headers['content-type'])
        },
        handler: (request, reply) => {
          if (request.caller === null) throw new Error('the key check did not run')
          return route.handler(request, reply, request.caller)
        },
      })
  }
}

function requireScope({ scopes }: Caller, scope: Scope | 'any'): void {
  if (scope === 'any' || scopes.includes(scope)) return
  throw new ServiceError(
    'insufficient_permissions',
    `This API key does not have the scope \`${scope}\`, which this URL needs.`,
  )
}
