import Fastify, { type FastifyInstance } from 'fastify'
import { toPlaygroundCaller as playgroundCaller } from '../accounts/caller.ts'
import { Interruption } from '../completions/interruption.ts'
import { ServiceError } from '../errors.ts'
import { connectionsMax, headersCountMax, requestBytesMax } from '../limits.ts'
import type { PanelUser } from '../people/panel-sessions.ts'
import { Connections } from './connections/connections.ts'
import { createHttpServer } from './connections/http-server.ts'
import { handleError, toServiceError } from './reply/error-handler.ts'
import { operationTable, type ServerServices } from './operation-table.ts'
import { readOrigins } from './origin/request-origin.ts'
import { recordRefusal } from './record-refusal.ts'
import { onResponseEnd } from './on-response-end.ts'
import { replyHeaders } from './reply/reply-headers.ts'
import { traceRequests } from './request/trace-requests.ts'
import { parseBodies } from './request/body/parse-bodies.ts'
import { answerMalformed, refuseConnect } from './connections/client-error.ts'
import { compileWhenUsed } from './request/compile-validators.ts'
import { answerPreflights, crossOriginHeaders } from './request/cross-origin.ts'
import { readNamedUsers } from './request/end-user.ts'
import { answerUnknownUrls } from './unknown-urls.ts'
import { randomHex } from './random-hex.ts'

/**
 * Builds the application, for HTTPS if there is a certificate. The caller makes it listen; tests use `inject` instead.
 */
export function createServer(services: ServerServices): FastifyInstance {
  const app = createFastify(services)
  services.certificate?.follow(app.server)
  app.setValidatorCompiler(compileWhenUsed)
  // An unknown `Expect` is ignored. Node's own refusal, a 417, would have no error code.
  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response),
  )
  app.server.on('connect', (request, socket) =>
    refuseConnect(socket, app.connections.owesResponse(request.socket)),
  )
  app.server.on('error', (error) => {
    if (app.server.listening) services.logger.warn('a connection could not be accepted', { error })
  })
  observe(app, services)
  refuseBadHeaders(app)
  parseBodies(app)
  readOrigins(app, services.isTrustedProxy)
  readNamedUsers(app, services.isTrustedProxy)
  app.decorateRequest('caller', null)
  app.decorateRequest('panelUser', null)
  app.decorateRequest('place', null)
  app.decorateRequest('isRunning', false)
  app.decorateRequest('asksForStream', false)
  // Hooks that run on every request are not async: a promise in each would cost a few percent of the request's time.
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers(replyHeaders(request, reply, services))
    done()
  })
  answerPreflights(app)
  traceRequests(app, services)
  app.setErrorHandler((error, request, reply) => {
    const cause = error instanceof Interruption ? error : toServiceError(error, request)
    recordRefusal(services, request, cause)
    return handleError(error, request, reply, services.logger)
  })

  const operations = operationTable(services)
  const toPlaygroundCaller = async (user: PanelUser) =>
    playgroundCaller((await services.panelAccounts.findUser(user.userId)).account, user.ended)
  for (const operation of operations) operation.mount(app, { ...services, toPlaygroundCaller })
  answerUnknownUrls(app, operations)
  return app
}

function createFastify(services: ServerServices): FastifyInstance {
  const connections = createConnections(services)
  const tls = services.certificate?.options
  const app = Fastify({
    logger: false,
    serverFactory: (answer) => createHttpServer(connections, answer, { tls }),
    bodyLimit: requestBytesMax,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: newRequestId,
    requestIdHeader: false,
    routerOptions: { maxParamLength: 256 },
    clientErrorHandler: (error, socket) =>
      answerMalformed(error, socket, connections.owesResponse(socket)),
    // No hook runs for a request that the router refuses, so its headers are set here.
    frameworkErrors: (error, request, reply) => {
      const headers = { 'x-request-id': request.id, 'x-processing-ms': '0' }
      reply.headers({ ...headers, ...crossOriginHeaders(request) })
      handleError(error, request, reply, services.logger)
    },
  })
  return app.decorate('connections', connections)
}

/**
 * Refuses a request with too many headers as a whole: without some of them, it could be another request. HTTP/1.1 requires
 * exactly one `Host` (RFC 9112, section 3.2): a proxy may have gone by another one of several.
 */
function refuseBadHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { headers, httpVersion, rawHeaders } }, _reply, done) => {
    if (headers.host === undefined && httpVersion === '1.1')
      return done(new ServiceError('bad_request', 'The header `Host` is missing.'))
    if (countOf('host', rawHeaders) > 1)
      return done(new ServiceError('bad_request', 'The header `Host` appears more than once.'))
    const count = rawHeaders.length / 2
    if (count <= headersCountMax) return done()
    done(
      new ServiceError(
        'headers_too_large',
        `The request has ${count} headers. Send at most ${headersCountMax}.`,
      ),
    )
  })
}

/** @param rawHeaders names and values in turn */
function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === name.length && rawHeaders[index]?.toLowerCase() === name)
      count += 1
  return count
}

function createConnections({ connectionsPerAddress, isTrustedProxy, metrics }: ServerServices) {
  return new Connections({
    connectionsMax,
    perAddressMax: connectionsPerAddress,
    isTrustedProxy,
    onCount: (open) => metrics.connections.set(open),
    onCut: (reason) => metrics.connectionsCut.inc({ reason }),
  })
}

/** Returns an id that sorts by time, so that new ledger entries stay adjacent; 80 of its bits are random. */
function newRequestId(): string {
  return `req_${Date.now().toString(16).padStart(12, '0')}${randomHex(10)}`
}

function observe(app: FastifyInstance, { metrics, logger }: ServerServices): void {
  onResponseEnd(app, (request, status, durationMs) => {
    const route = request.routeOptions.url ?? 'unknown'
    metrics.requests.inc({ route, status })
    metrics.requestSeconds.observe({ route }, durationMs / 1000)
    // Probes arrive every few seconds and would fill the log.
    const level = route.startsWith('/v1/') || status >= 400 ? 'info' : 'debug'
    logger[level]('request', {
      requestId: request.id,
      method: request.method,
      route,
      status,
      durationMs: Math.round(durationMs),
    })
  })
}
