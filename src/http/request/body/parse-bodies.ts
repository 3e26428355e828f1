import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Interruption } from '../../../completions/interruption.ts'
import { rememberFingerprint } from '../../../completions/once/idempotency.ts'
import { largeBodyBytes, requestBytesMax, smallBodyBytesMax } from '../../../limits.ts'
import { decodeBody, parseBody } from './json-body.ts'
import { bodyTooLarge, readBody } from './read-body.ts'
import { Turns } from './turns.ts'

/** Makes the server read bodies as JSON objects. The place of a request limits how many bytes it may send. */
export function parseBodies(app: FastifyInstance): void {
  const turns = new Turns()
  const uncontinued = new WeakMap<IncomingMessage, ServerResponse>()
  // Without this, Node sends `100 Continue` at once, and the client sends its body even if the request is then refused.
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    uncontinued.set(request, response)
    app.server.emit('request', request, response)
  })
  app.removeAllContentTypeParsers()
  const parse = async (request: FastifyRequest, payload: IncomingMessage) => {
    const { place } = request
    const bytesMax = bodyBytesMax(request)
    const declared = declaredBytes(request)
    if ((declared ?? 0) > bytesMax) throw bodyTooLarge(bytesMax)
    uncontinued.get(request.raw)?.writeContinue()
    const isCounted = place === null || declared !== undefined
    const { chunks, size } = await readBody(payload, {
      bytesMax,
      onBytes: isCounted ? undefined : (bytes) => place.addBodyBytes(bytes),
    })
    const isLarge = size >= largeBodyBytes
    if (isLarge) await turns.next()
    if (request.raw.socket.destroyed) throw new Interruption('client_abort')
    const text = decodeBody(Buffer.concat(chunks, size))
    if (!isLarge) return parseBody(text)
    // Each of these steps takes up to tens of milliseconds for a large body: to join its chunks and check its limits, to
    // parse it, to compute its fingerprint, and to write out its schemas, which the handler does.
    await turns.nextRound()
    const value = parseBody(text)
    await turns.nextRound()
    if (request.headers['idempotency-key'] === undefined) return value
    rememberFingerprint(value)
    await turns.nextRound()
    return value
  }
  // Fastify finds a parser fastest by its exact name. Access hooks have refused all media types but JSON.
  app.addContentTypeParser('application/json', parse)
  app.addContentTypeParser('*', parse)
}

/** Counts a body's bytes against the request's place before the client sends them, if the headers give the size. */
export function countDeclaredBytes(request: FastifyRequest): void {
  const declared = declaredBytes(request)
  // A larger body is refused later, for its size.
  if (declared !== undefined && declared <= bodyBytesMax(request))
    request.place?.addBodyBytes(declared)
}

function bodyBytesMax({ place }: FastifyRequest): number {
  return place === null ? smallBodyBytesMax : requestBytesMax
}

function declaredBytes({ headers }: FastifyRequest): number | undefined {
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}
