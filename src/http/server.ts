import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { toPlaygroundCaller as playgroundCaller } from '../accounts/playground-caller.ts'
import type { CompletionServices } from '../completions/completion-services.ts'
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
import type { PanelUser } from '../people/panel-sessions.ts'
import type { Receipts } from '../usage/receipts.ts'
import { answerMalformed } from './request/client-error.ts'
import { answerPreflights } from './request/cross-origin.ts'
import { handleError, unknownUrl } from './error-handler.ts'
import { parseJsonObject } from './request/json-body.ts'
import { pageContracts } from '../protocol/operations/panel/pages.ts'
import { type ApiOperation, type Operation, type OperationServices } from './operation.ts'
import { chatCompletionOperations } from './operations/chat-completions.ts'
import { documentationOperations } from './operations/documentation.ts'
import { healthOperations, type Readiness } from './operations/health.ts'
import { inputTokensOperation } from './operations/input-tokens.ts'
import { keyOperation } from './operations/key.ts'
import { modelOperations } from './operations/models.ts'
import { requestOperations } from './operations/requests.ts'
import { panelAccountOperations } from './panel/accounts.ts'
import { panelAssetOperations } from './panel/panel-assets.ts'
import { panelAuthOperations } from './panel/auth.ts'
import { panelKeyOperations, type PanelKeyServices } from './panel/keys.ts'
import { liveOperation, type PanelLiveServices } from './panel/live.ts'
import { panelRequestOperations } from './panel/requests.ts'
import { type PanelServices, panelSessionOperations } from './panel/session.ts'
import { playgroundOperations } from './panel/playground.ts'
import { panelUsageOperations, type PanelUsageServices } from './panel/usage.ts'
import { replyHeaders } from './reply-headers.ts'

export type ServerServices = CompletionServices &
  Omit<OperationServices, 'toPlaygroundCaller'> & {
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

  const operations = operationTable(services)
  const toPlaygroundCaller = async (user: PanelUser) =>
    playgroundCaller((await services.panelAccounts.findUser(user.userId)).account, user.ended)
  for (const operation of operations) operation.mount(app, { ...services, toPlaygroundCaller })
  answerUnknownUrls(app, operations)
  return app
}

/** In order of time, so that the ledger's newest entries lie side by side; 74 bits are random. */
function newRequestId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `req_${time}${randomUUID().replaceAll('-', '').slice(-20)}`
}

/** Everything that is served. */
export function operationTable(services: ServerServices): Operation[] {
  const api: ApiOperation[] = [
    ...chatCompletionOperations(services),
    inputTokensOperation(services),
    ...modelOperations(services.engine, services.now()),
    ...requestOperations(services.receipts),
    keyOperation(services.rateLimits),
    ...healthOperations(services.readiness),
  ]
  return [
    ...api,
    ...documentationOperations(api),
    ...panelSessionOperations(services),
    ...panelAuthOperations(services),
    ...panelAccountOperations(services.panelAccounts),
    ...panelKeyOperations(services),
    ...panelUsageOperations(services),
    ...panelRequestOperations(services.receipts),
    liveOperation(services),
    ...playgroundOperations(services),
    ...panelAssetOperations(services.panelFolder),
  ]
}

function limitConnections(server: Server): void {
  server.maxConnections = connectionsMax
  server.maxHeadersCount = headersCountMax
}

/** Replies 405 with `Allow` where the path exists under another method, else 404. Pages are no URLs of the API. */
function answerUnknownUrls(app: FastifyInstance, operations: readonly Operation[]): void {
  const pages = new Set<string>(pageContracts.map(({ path }) => path))
  const contracts = operations
    .map(({ contract }) => contract)
    .filter(({ path }) => !pages.has(path))
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    const methods = contracts
      .filter((contract) => matches(contract.path, path))
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
