import { strict as assert } from 'node:assert'
import { firstTokenTimeoutMs } from '../../limits.ts'
import { settingsTable } from '../../settings/settings-table.ts'

/** Tokens of any context that an upstream can have. */
export const [, upstreamContextTokensMax] = settingsTable.PIPIT_CONTEXT_TOKENS.upstream.range

/** Bytes of one line of an upstream's stream, and of its other replies. */
export const lineBytesMax = 2 ** 20
/** Bytes of text for each token of `max_tokens`, beyond which a reply is cut as a fault. */
export const tokenBytesMax = 1024

/** Times after which a request is tried again at most, before the caller has seen anything. */
export const retriesMax = 2
/** Part of the requests that may be tried again, and tries that are allowed at once. */
export const retryShare = 0.1
export const retryBurst = 10

/** Failures in a row after which an upstream is ejected; one that refuses connections is ejected at once. */
export const failuresMax = 3

/** An estimate of a prompt beyond this many tokens is replaced by the upstream's own count, if it has a route for it. */
export const estimatedTokensMax = 2048

export type UpstreamTimeouts = {
  readonly connectMs: number
  /** Time to the first byte of the body: the time in the upstream's queue, and the prefill. */
  readonly firstByteMs: number
  /** Time between two parts of a body. */
  readonly idleMs: number
  /** Time for each request of a probe, and for the count of a prompt. */
  readonly probeMs: number
  /** Time between two probes of an upstream that shows no other sign of life. */
  readonly probeEveryMs: number
}

export const upstreamTimeouts: UpstreamTimeouts = {
  connectMs: 1000,
  firstByteMs: 85_000,
  idleMs: 30_000,
  probeMs: 3000,
  probeEveryMs: 3000,
}

// Otherwise the caller's deadline would hide that the upstream is at fault.
assert(upstreamTimeouts.firstByteMs < firstTokenTimeoutMs)
