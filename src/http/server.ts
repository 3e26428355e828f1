import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { CompletionServices } from '../completions/run-completion.ts'
import { ServiceError } from '../errors.ts'
import {
  bodyTimeoutMs,
  connectionsMax,
  headerBytesMax,
  headersCountMax,
  headersTimeoutMs,
  keepAliveTimeoutMs,
  requestBytesMax,
} from '../limits.ts'
import type { Receipts } from '../usage/receipts.ts'
import { answerMalformed } from './request/client-error.ts'
import { answerPreflights } from './request/cross-origin.ts'
import { handleError, unknownUrl } from './error-handler.ts'
import { parseJsonObject } from './request/json-body.ts'
import { panelAssetRoutes, panelPages } from './panel/panel-assets.ts'
import { replyHeaders } from './reply-headers.ts'
import { addRoute, type ApiRoute, type Route, type RouteChecks } from './route.ts'
import { chatCompletionRoutes } from './operations/chat-completions.ts'
import { documentationRoutes } from './operations/documentation.ts'
import { healthRoutes, type Readiness } from './operations/health.ts'
import { inputTokensRoute } from './operations/input-tokens.ts'
import { keyRoute } from './operations/key.ts'
import { modelRoutes } from './operations/models.ts'
import { panelAccountRoutes } from './panel/accounts.ts'
import { panelAuthRoutes } from './panel/auth.ts'
import { panelKeyRoutes, type PanelKeyServices } from './panel/keys.ts'
import { panelLiveRoute, type PanelLiveServices } from './panel/live.ts'
import { panelRequestRoutes } from './panel/requests.ts'
import { type PanelServices, panelSessionRoutes } from './panel/session.ts'
import { panelPlaygroundRoutes } from './panel/playground.ts'
import { panelUsageRoutes, type PanelUsageServices } from './panel/usage.ts'
import { requestRoutes } from './operations/requests.ts'

export type ServerServices = CompletionServices &
  RouteChecks & {
    receipts: Receipts
    readiness: () => Readiness
    /** What tools/panel.mjs has built. */
    panelFolder: string
  } & PanelServices &
  PanelKeyServices &
  PanelUsageServices &
  PanelLiveServices

/** Builds the application; who listens is the caller's business (tests use `inject`). */
export function createServer(services: ServerServices): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: requestBytesMax,
    requestTimeout: bodyTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionTimeout: 0,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: newRequestId,
    requestIdHeader: false,
    routerOptions: { maxParamLength: 256 },
    http: {
      maxHeaderSize: headerBytesMax,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: 2000,
    },
    // `verbose`: a fault names the schema it broke. Nothing is coerced, removed or filled in.
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        allErrors: false,
        verbose: true,
        allowUnionTypes: true,
      },
    },
    clientErrorHandler: answerMalformed,
    // What the router refuses passes no hook.
    frameworkErrors: (error, request, reply) => {
      reply.headers({ 'x-request-id': request.id, 'x-processing-ms': '0' })
      handleError(error, request, reply, services.logger)
    },
  })
  limitConnections(app.server)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) =>
      // Whether there is such a URL is said whatever the body holds.
      request.is404 ? undefined : parseJsonObject(body),
  )
  app.decorateRequest('caller', null)
  app.decorateRequest('panelUser', null)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onSend', async (request, reply) => {
    reply.headers(replyHeaders(request, reply, services.rateLimits))
  })
  answerPreflights(app)
  observe(app, services)
  app.setErrorHandler((error, request, reply) =>
    handleError(error, request, reply, services.logger),
  )

  const routes = routeTable(services)
  for (const route of routes) addRoute(app, services, route)
  answerUnknownUrls(app, routes)
  return app
}

/** In order of time, so that the ledger's newest entries lie side by side; 74 bits are random. */
function newRequestId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `req_${time}${randomUUID().replaceAll('-', '').slice(-20)}`
}

/** Everything that is served, and who may call it. */
export function routeTable(services: ServerServices): Route[] {
  const api: ApiRoute[] = [
    ...chatCompletionRoutes(services),
    inputTokensRoute(services),
    ...modelRoutes(services.engine, services.now()),
    ...requestRoutes(services.receipts),
    keyRoute(services.rateLimits),
    ...healthRoutes(services.readiness),
  ]
  return [
    ...api,
    ...documentationRoutes(api),
    ...panelSessionRoutes(services),
    ...panelAuthRoutes(services),
    ...panelAccountRoutes(services.panelAccounts),
    ...panelKeyRoutes(services),
    ...panelUsageRoutes(services),
    ...panelRequestRoutes(services.receipts),
    panelLiveRoute(services),
    ...panelPlaygroundRoutes(services),
    ...panelAssetRoutes(services.panelFolder),
  ]
}

function limitConnections(server: Server): void {
  server.maxConnections = connectionsMax
  server.maxHeadersCount = headersCountMax
}

/** 405 with `Allow` where the path exists under another method, else 404; a page is no URL of the API. */
function answerUnknownUrls(app: FastifyInstance, routes: readonly Route[]): void {
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    const methods = routes
      .filter(({ url }) => matches(url, path) && !panelPages.includes(url))
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    if (methods.length === 0) throw unknownUrl()
    reply.header('allow', methods.join(', '))
    throw new ServiceError('method_not_supported', `This URL takes ${methods.join(' or ')} only.`)
  })
}

function matches(pattern: string, path: string): boolean {
  const expected = pattern.split('/')
  const actual = path.split('/')
  return (
    expected.length === actual.length &&
    expected.every((part, i) => part === actual[i] || (part.startsWith(':') && actual[i] !== ''))
  )
}

function observe(app: FastifyInstance, { metrics, logger }: ServerServices): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    const status = reply.raw.statusCode
    const durationMs = Math.round(reply.elapsedTime)
    metrics.requests.inc({ route, status })
    metrics.requestSeconds.observe({ route }, reply.elapsedTime / 1000)
    // Probes come every few seconds and would drown the rest.
    const level = route.startsWith('/v1/') || status >= 400 ? 'info' : 'debug'
    logger[level]('request', {
      requestId: request.id,
      method: request.method,
      route,
      status,
      durationMs,
    })
  })
}
