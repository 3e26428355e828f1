import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { TlsOptions } from 'node:tls'
import {
  bodyTimeoutMs,
  headerBytesMax,
  headersTimeoutMs,
  keepAliveTimeoutMs,
  unreadResponseTimeoutMs,
} from '../../limits.ts'
import type { Connections } from './connections.ts'

/**
 * Node's socket timeout as a share of the deadline. Node restarts its timer if part of the response was sent since it
 * last fired. The socket's buffer always takes the first bytes, so two periods must end before the deadline.
 */
const timerShare = 0.45

type HttpServerOptions = {
  /** Certificate and key. Without them, the server speaks HTTP without TLS. */
  tls?: TlsOptions | undefined
  /** Time in ms after which a connection is closed if its client reads nothing of a response. */
  unreadMs?: number
}

/**
 * Creates an HTTP server, or with `tls` an HTTPS server. Clients cannot exhaust its memory or its connections: each
 * connection has one request in progress and a few waiting, and every wait for a client is bounded.
 */
export function createHttpServer(
  connections: Connections,
  answer: RequestListener,
  { tls, unreadMs = unreadResponseTimeoutMs }: HttpServerOptions = {},
): Server {
  /** Counts requests. Node creates a response for every request, even one that it answers itself with 400. */
  class CountedResponse extends ServerResponse {
    constructor(...options: ConstructorParameters<typeof ServerResponse>) {
      super(...options)
      connections.begin(this)
    }
  }
  const requestClass: typeof IncomingMessage = StoppableRequest
  const options = {
    IncomingMessage: requestClass,
    ServerResponse: CountedResponse,
    maxHeaderSize: headerBytesMax,
    headersTimeout: headersTimeoutMs,
    requestTimeout: bodyTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: 2000,
    // Node's own refusal has no error code. `createServer` refuses such requests.
    requireHostHeader: false,
  }
  const answerInTurn: RequestListener = (request, response) =>
    connections.answerInTurn(response, () => answer(request, response))
  const server =
    tls === undefined
      ? createServer(options, answerInTurn)
      : createTlsServer({ ...options, ...tls, handshakeTimeout: headersTimeoutMs }, answerInTurn)
  // Node 22 would drop the headers beyond its maximum. `createServer` counts them.
  server.maxHeadersCount = 0
  server.on('connection', (socket: Socket) => connections.admit(socket))
  if (tls !== undefined) followHandshakes(server, connections)
  // Node's own function, which `close` calls, leaves connections open that have had no request yet, of which browsers keep
  // some in reserve. It closes others whose client has not read the whole response.
  server.closeIdleConnections = () => connections.closeUnused()
  // Without a listener, a connection that cannot be accepted, for want of memory, would end the process. `listen` has its own.
  server.on('error', () => {})
  server.setTimeout(unreadMs * timerShare, (socket) => connections.handleTimeout(socket))
  return server
}

/**
 * Finds the admitted connection below each TLS socket by the client's address and port, because Node's two sockets
 * share nothing else.
 */
function followHandshakes(server: Server, connections: Connections): void {
  const admitted = new Map<string, Socket>()
  const peerOf = (socket: Socket) => `${socket.remoteAddress} ${socket.remotePort}`
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket)
    admitted.set(peer, socket)
    socket.once('close', () => admitted.get(peer) === socket && admitted.delete(peer))
  })
  server.on('secureConnection', (socket: Socket) => {
    const below = admitted.get(peerOf(socket))
    if (below !== undefined) connections.secure(below, socket)
  })
}

/**
 * Stops the parser once the connection is closed, by posing as a protocol upgrade: Node parses nothing after one.
 * Otherwise Node would create all of the roughly 2,000 requests that fit into a packet of 64 KiB.
 */
class StoppableRequest extends IncomingMessage {
  declare isUpgrade: boolean

  get upgrade(): boolean {
    return this.isUpgrade || this.socket.destroyed
  }

  set upgrade(isUpgrade: boolean) {
    this.isUpgrade = isUpgrade
  }
}
