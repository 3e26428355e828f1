import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { untrustedCertificate } from '../../../errors.ts'
import { UpstreamFault } from '../upstream-fault.ts'
import { bodyBytesMax, staleMs, type UpstreamTimeouts } from '../upstream-limits.ts'

/** Records the attempts of one request at all upstreams. */
export type Attempts = {
  /** Connections that have broken on it. */
  breaks: number
  /** True once an upstream was connected, with TLS if the URL is https, so that it may have begun the request. */
  isSent: boolean
}

type Exchange = {
  readonly url: string
  /** JSON text. Undefined for a GET request. */
  readonly body?: string
  readonly headers: Readonly<Record<string, string>>
  readonly attempts?: Attempts
}

/** Parts in which the time to connect is counted. However long this process is blocked, one part passes. */
const connectParts = 10

/** Pools keep-alive connections to the upstreams. */
export class Connections {
  readonly #http = new HttpAgent({ keepAlive: true })
  readonly #https = new HttpsAgent({ keepAlive: true })
  readonly #timeouts: UpstreamTimeouts

  constructor(timeouts: UpstreamTimeouts) {
    this.#timeouts = timeouts
  }

  /**
   * Sends a request and resolves with the head of the response, whatever its status. Redirects are not followed. If the
   * upstream has closed a pooled connection, the request is sent once more on a new one. A request that has broken a
   * connection is sent on new ones only. Aborting destroys the connection.
   * @param headByMs latest time of the head, by the monotonic clock
   * @throws UpstreamFault unreachable, lost, failed; or the signal's reason
   */
  async send(
    exchange: Exchange,
    signal: AbortSignal,
    headByMs: number = performance.now() + this.#timeouts.firstByteMs,
  ): Promise<IncomingMessage> {
    const { attempts = { breaks: 0, isSent: false } } = exchange
    const tracked = { ...exchange, attempts }
    try {
      return await this.#send(tracked, attempts.breaks === 0, headByMs, signal)
    } catch (error) {
      noteBreak(attempts, error)
      if (!(error instanceof StaleConnection)) throw error
    }
    try {
      return await this.#send(tracked, false, headByMs, signal)
    } catch (error) {
      noteBreak(attempts, error)
      // Nothing listens any more, so the upstream has ended, maybe because of this request.
      throw error instanceof UpstreamFault && error.kind === 'unreachable' ? lost() : error
    }
  }

  /**
   * Sends a request and reads the whole response, at most `bytesMax` within `probeMs`.
   * @throws UpstreamFault, NoReplyYet for one that takes longer; or the signal's reason
   */
  async fetchText(
    exchange: Exchange,
    signal: AbortSignal,
    bytesMax = bodyBytesMax,
  ): Promise<{ status: number; text: string }> {
    const timeout = AbortSignal.timeout(this.#timeouts.probeMs)
    const either = AbortSignal.any([signal, timeout])
    try {
      const response = await this.send(exchange, either)
      return { status: response.statusCode ?? 0, text: await readText(response, bytesMax) }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof UpstreamFault) throw error
      throw timeout.aborted
        ? new NoReplyYet('no reply in time')
        : new UpstreamFault('failed', 'a broken reply')
    }
  }

  close(): void {
    this.#http.destroy()
    this.#https.destroy()
  }

  #send(
    exchange: Exchange & { readonly attempts: Attempts },
    mayReuse: boolean,
    headByMs: number,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    signal.throwIfAborted()
    const isHttps = exchange.url.startsWith('https:')
    const { body, headers } = exchange
    const options = {
      method: body === undefined ? 'GET' : 'POST',
      agent: mayReuse && (isHttps ? this.#https : this.#http),
      headers:
        body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
    }
    const request = (isHttps ? httpsRequest : httpRequest)(exchange.url, options)
    const response = this.#head(request, exchange.attempts, headByMs, signal)
    request.end(body)
    return response
  }

  #head(
    request: ClientRequest,
    attempts: Attempts,
    headByMs: number,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const fail = (fault: Error): void => {
        request.destroy(fault)
        reject(fault)
      }
      // Counts in parts: while this process is blocked, a timer runs out, but news of a connection waits.
      let partsLeft = connectParts
      const connecting = setInterval(() => {
        partsLeft -= 1
        if (partsLeft === 0) fail(new UpstreamFault('unreachable', 'no connection in time'))
      }, this.#timeouts.connectMs / connectParts)
      const waiting = setTimeout(
        () => fail(new UpstreamFault('failed', 'no first byte in time')),
        Math.max(0, headByMs - performance.now()),
      )
      const sentMs = performance.now()
      let isConnected = false
      const onConnect = (): void => {
        isConnected = true
        attempts.isSent = true
        clearInterval(connecting)
      }
      const onAbort = (): void => {
        request.destroy()
        reject(signal.reason)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      const settle = (): void => {
        clearInterval(connecting)
        clearTimeout(waiting)
      }
      // The abort listener stays until the response has ended, so an abort closes the connection at any time.
      request.once('close', () => {
        settle()
        signal.removeEventListener('abort', onAbort)
        // After `101 Switching Protocols`, Node closes the connection without a response and without an error.
        reject(lost())
      })
      request.once('socket', (socket) => {
        const isTls = request.protocol === 'https:' && !request.reusedSocket
        // The request is sent after the TLS handshake, which a hanging upstream leaves unanswered.
        if (isTls) socket.once('secureConnect', onConnect)
        else if (socket.connecting) socket.once('connect', onConnect)
        else onConnect()
      })
      request.once('response', (response) => {
        settle()
        resolve(response)
      })
      request.on('error', (error) => {
        const isStale = request.reusedSocket && performance.now() - sentMs < staleMs
        if (isStale) reject(new StaleConnection())
        else if (isConnected) reject(lost())
        else reject(noConnection(error))
      })
    })
  }
}

function noteBreak(attempts: Attempts, error: unknown): void {
  if (error instanceof UpstreamFault && error.kind === 'lost') attempts.breaks += 1
}

function noConnection(error: Error): UpstreamFault {
  const code = untrustedCertificate(error)
  const reason =
    code === undefined
      ? 'the connection failed'
      : `its certificate is not trusted (${code}): check NODE_EXTRA_CA_CERTS`
  return new UpstreamFault('unreachable', reason)
}

function lost(): UpstreamFault {
  return new UpstreamFault('lost', 'the connection broke before a response')
}

/** The upstream is connected, but has not sent its whole response in time, or has put it off. */
export class NoReplyYet extends UpstreamFault {
  constructor(reason: string) {
    super('failed', reason)
  }
}

/** A pooled connection broke soon after the request was sent. Most likely the upstream had closed it while idle. */
class StaleConnection extends UpstreamFault {
  constructor() {
    super('lost', 'a kept connection was closed')
  }
}

/** @throws UpstreamFault if the body exceeds `bytesMax`; or the stream's own error */
export async function readText(
  response: IncomingMessage,
  bytesMax = bodyBytesMax,
): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > bytesMax) throw new UpstreamFault('failed', 'a reply that is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
