import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { requestTimeout, ServiceError } from '../../errors.ts'
import { statusOf, toErrorBody } from '../reply/error-response.ts'
import { noteTimeout } from '../timed-out.ts'

const lingerMs = 500
const timeoutCode = 'ERR_HTTP_REQUEST_TIMEOUT'

/**
 * Responds to bytes that the HTTP parser refuses. No request object exists yet, so the response is written by hand.
 * @param owesResponse true if an earlier request of the connection is not answered; another response would be taken for its
 */
export function answerMalformed(
  error: Error & { code?: string },
  socket: Socket,
  owesResponse: boolean,
): void {
  // More bytes of a request that has been refused. The socket is destroyed soon.
  if (refused.has(socket)) return
  // After a reset or before the end of another response, no error response can reach the client.
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable || owesResponse) {
    socket.destroy()
    return
  }
  if (error.code === timeoutCode && socket.bytesRead === 0) return closeUnused(socket)
  if (error.code === timeoutCode) noteTimeout(socket)
  refuse(socket, toFailure(error.code))
}

/**
 * Closes a connection on which nothing has arrived, without a response. Some clients open connections in reserve, and
 * would take a response for that of a request that they are just sending. If this process stalled, such a request may
 * have arrived in the meantime, so the socket is read once more.
 */
function closeUnused(socket: Socket): void {
  setImmediate(() => {
    if (socket.bytesRead === 0) socket.destroy()
  })
}

/** Refuses CONNECT, which Node would end without a response. This service is not a proxy. */
export function refuseConnect(socket: Duplex, owesResponse: boolean): void {
  // The connection may break before the response is written.
  socket.on('error', () => socket.destroy())
  if (owesResponse) return void socket.destroy()
  refuse(socket, new ServiceError('method_not_supported', 'This URL does not support CONNECT.'))
}

const refused = new WeakSet<Duplex>()

function refuse(socket: Duplex, failure: ServiceError): void {
  refused.add(socket)
  const status = statusOf(failure)
  const body = JSON.stringify(toErrorBody(failure))
  socket.end(
    `HTTP/1.1 ${status} ${reasonPhrases[status] ?? 'Error'}\r\n` +
      // RFC 9110, 15.5.6: a response with 405 has an `Allow`, which may be empty.
      (status === 405 ? 'allow: \r\n' : '') +
      'content-type: application/json; charset=utf-8\r\n' +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
  // Destroys the socket even if the client never closes its half. Waits a little first, because the response could
  // otherwise be lost.
  setTimeout(() => socket.destroy(), lingerMs)
}

const reasonPhrases: Record<number, string> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

function toFailure(code: string | undefined): ServiceError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('headers_too_large', 'The request headers are too large.')
    case timeoutCode:
      return requestTimeout()
    case undefined:
    default:
      return new ServiceError('bad_request', 'This is not a valid HTTP request.')
  }
}
