import type { IncomingMessage } from 'node:http'
import { forwardedHopsMax } from '../../limits.ts'
import { canonicalAddress, type IsTrustedProxy } from '../../addresses.ts'

type Request = {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>
  readonly headers: IncomingMessage['headers']
}

/**
 * Returns the network address of the client: the connection's peer or, if the peer is a trusted proxy, the last address
 * in `X-Forwarded-For` that is not a trusted proxy's.
 */
export function clientAddress({ socket, headers }: Request, isTrusted: IsTrustedProxy): string {
  const { remoteAddress = '' } = socket
  let client = canonicalAddress(remoteAddress) ?? remoteAddress
  const forwardedFor = headers['x-forwarded-for']
  if (typeof forwardedFor !== 'string' || !isTrusted(client)) return client
  for (const hop of forwardedFor.split(',').slice(-forwardedHopsMax).reverse()) {
    const address = canonicalAddress(withoutPort(hop.trim()))
    // The proxy does not say who its client is, so all its clients count as one.
    if (address === undefined) return client
    client = address
    if (!isTrusted(client)) return client
  }
  return client
}

/** Removes the port: some proxies write `203.0.113.7:50123` or `[2001:db8::7]:50123`. */
function withoutPort(hop: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop
}
