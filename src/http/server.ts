import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { toPlaygroundCaller as playgroundCaller } from '../accounts/playground-caller.ts'
import {
  bodyTimeoutMs,
  connectionsMax,
  headerBytesMax,
  headersCountMax,
  headersTimeoutMs,
  keepAliveTimeoutMs,
  requestBytesMax,
} from '../limits.ts'
import type { PanelUser } from '../people/panel-sessions.ts'
import { handleError } from './error-handler.ts'
import { operationTable, type ServerServices } from './operation-table.ts'
import { replyHeaders } from './reply/reply-headers.ts'
import { answerMalformed } from './request/client-error.ts'
import { answerPreflights } from './request/cross-origin.ts'
import { parseJsonObject } from './request/json-body.ts'
import { answerUnknownUrls } from './unknown-urls.ts'

/** Builds the application. The caller listens on it; tests use `inject` instead. */
export function createServer(services: ServerServices): FastifyInstance {
  const app = createFastify(services)
  app.server.maxConnections = connectionsMax
  app.server.maxHeadersCount = headersCountMax
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) =>
      // An unknown URL is a 404 whatever the body holds.
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

  const operations = operationTable(services)
  const toPlaygroundCaller = async (user: PanelUser) =>
    playgroundCaller((await services.panelAccounts.findUser(user.userId)).account, user.ended)
  for (const operation of operations) operation.mount(app, { ...services, toPlaygroundCaller })
  answerUnknownUrls(app, operations)
  return app
}

function createFastify({ logger }: ServerServices): FastifyInstance {
  return Fastify({
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
    // `verbose` adds the violated schema to an error. Values are not coerced, removed or filled in.
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
    // A request that the router refuses passes no hook, so its headers are set here.
    frameworkErrors: (error, request, reply) => {
      reply.headers({ 'x-request-id': request.id, 'x-processing-ms': '0' })
      handleError(error, request, reply, logger)
    },
  })
}

/** Returns an id that sorts by time, so that new ledger entries stay adjacent; 74 of its bits are random. */
function newRequestId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `req_${time}${randomUUID().replaceAll('-', '').slice(-20)}`
}

function observe(app: FastifyInstance, { metrics, logger }: ServerServices): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    const status = reply.raw.statusCode
    const durationMs = Math.round(reply.elapsedTime)
    metrics.requests.inc({ route, status })
    metrics.requestSeconds.observe({ route }, reply.elapsedTime / 1000)
    // Probes arrive every few seconds and would fill the log.
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
