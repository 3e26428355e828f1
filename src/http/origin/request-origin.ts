import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { IsTrustedProxy } from '../../addresses.ts'
import { clientAddress } from './client-address.ts'

/**
 * Sets `ip`, `host` and `protocol` of every request to the client's. Forwarded headers count only if a trusted proxy
 * sent them. Fastify's `trustProxy` would accept any text as `ip`, such as an address with its port.
 */
export function readOrigins(app: FastifyInstance, isTrusted: IsTrustedProxy): void {
  app.decorateRequest('ip', {
    getter() {
      return clientAddress(this.raw, isTrusted)
    },
  })
  app.decorateRequest('host', {
    getter() {
      return forwarded(this.raw, 'x-forwarded-host', isTrusted) ?? this.raw.headers.host ?? ''
    },
  })
  app.decorateRequest('protocol', {
    getter() {
      const scheme = forwarded(this.raw, 'x-forwarded-proto', isTrusted)
      if (scheme === 'http' || scheme === 'https') return scheme
      return 'encrypted' in this.raw.socket ? 'https' : 'http'
    },
  })
}

/** Returns the last value, which the nearest proxy has added. */
function forwarded(
  { headers, socket }: IncomingMessage,
  name: 'x-forwarded-host' | 'x-forwarded-proto',
  isTrusted: IsTrustedProxy,
): string | undefined {
  const values = headers[name]
  if (typeof values !== 'string' || !isTrusted(socket.remoteAddress ?? '')) return undefined
  return values.slice(values.lastIndexOf(',') + 1).trim()
}
