import { randomBytes } from 'node:crypto'

/** A request's position in a trace, as W3C Trace Context carries it. */
export type TraceContext = {
  /** 32 hexadecimal digits, in lower case. */
  readonly traceId: string
  /** 16 hexadecimal digits, in lower case. */
  readonly spanId: string
  readonly isSampled: boolean
}

/**
 * Reads a `traceparent` header. Returns undefined if it is absent or invalid; the trace then begins here. Accepts later
 * versions and reads the members known from version 00.
 */
export function readTraceparent(header: unknown): TraceContext | undefined {
  if (typeof header !== 'string' || header.length > 512) return undefined
  const found = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/.exec(header)
  if (found === null) return undefined
  const [, version = '', traceId = '', spanId = '', flags = '', rest] = found
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function writeTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}

/** Returns a random id of so many bytes, in hexadecimal digits. */
export function newId(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}
