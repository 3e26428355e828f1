import type { FastifyInstance, FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify'
import type { Caller } from '../accounts/api-keys.ts'
import type { ErrorCode } from '../errors.ts'
import { authenticate, type CheckKey } from './authenticate.ts'
import { assertJsonMediaType } from './media-type.ts'

type Common = {
  method: 'GET' | 'POST'
  url: string
  /** JSON Schema of the body. */
  body?: object
  doc: RouteDoc
}

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

/**
 * The only way to serve a path. `auth` has no default: a route that does not say who may call it
 * does not compile, and only a route with a key check is given a caller.
 */
export type Route = Common &
  ({ auth: 'none'; handler: PublicHandler } | { auth: 'api-key'; handler: CallerHandler })

export function addRoute(app: FastifyInstance, checkKey: CheckKey, route: Route): void {
  const { method, url } = route
  const schema = route.body === undefined ? {} : { body: route.body }
  switch (route.auth) {
    case 'none':
      app.route<RouteGenericInterface>({ method, url, schema, handler: route.handler })
      return
    case 'api-key': {
      const callers = new WeakMap<FastifyRequest, Caller>()
      app.route<RouteGenericInterface>({
        method,
        url,
        schema,
        // Before the body is read: who has no key cannot make us read a megabyte.
        onRequest: async (request) => {
          callers.set(request, authenticate(request.raw, checkKey))
          if (route.body !== undefined) assertJsonMediaType(request.headers['content-type'])
        },
        handler: (request, reply) => {
          const caller = callers.get(request)
          if (caller === undefined) throw new Error('the key check did not run')
          return route.handler(request, reply, caller)
        },
      })
    }
  }
}
