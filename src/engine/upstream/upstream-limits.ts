import { strict as assert } from 'node:assert'
import { firstTokenTimeoutMs } from '../../limits.ts'
import { settingsTable } from '../../settings/settings-table.ts'

/** Largest context of an upstream, in tokens. */
export const [, upstreamContextTokensMax] = settingsTable.PIPIT_CONTEXT_TOKENS.upstream.range

/** Largest line of an upstream's event stream. */
export const lineBytesMax = 2 ** 20
/** Largest body of an upstream's other responses, without that of a count. */
export const bodyBytesMax = 2 ** 20
/** Largest body of a count: vLLM lists the number of each token beside it. */
export const countBytesMax = 2 ** 20 + 8 * upstreamContextTokensMax
/** Bytes of text allowed for each token of `max_tokens`; a longer reply is a fault. */
export const tokenBytesMax = 1024

/** Most retries of one request. It is retried only before the caller has received anything. */
export const retriesMax = 2
/** Most retries after a connection that broke before the response: the request may crash every upstream it reaches. */
export const lostRetriesMax = 1
/**
 * Time after a request within which the break of a kept connection is taken for the upstream's close of an idle one.
 * News of such a close takes a round trip; a break after a longer time is most likely the request's own.
 */
export const staleMs = 1000
/** Share of requests that may be retried, and size of a burst of retries. */
export const retryShare = 0.1
export const retryBurst = 10

/** Consecutive failures after which an upstream is ejected. An unreachable upstream is ejected at once. */
export const failuresMax = 3
/** Consecutive probes without a reply in time after which an upstream is ejected. A wrong reply ejects it at once. */
export const missedProbesMax = 2

/** Above this estimate, the upstream is asked to count the prompt's tokens, if it has a route for it. */
export const estimatedTokensMax = 2048

/** Probe intervals for which the load that an upstream has reported is used. */
export const loadValidReads = 3

export type UpstreamTimeouts = {
  readonly connectMs: number
  /** Time from the request to the first byte of the body, which includes the upstream's queue and the prefill. */
  readonly firstByteMs: number
  /** Longest pause between two parts of a body. */
  readonly idleMs: number
  /** Longest pause in a reply with tools whose upstream passes its probes. Parsers may hold back a whole argument. */
  readonly callIdleMs: number
  /** Timeout of each request of a probe, of reading an upstream's load, and of counting a prompt's tokens. */
  readonly probeMs: number
  /** Time between two probes, and between two reads of the load. An upstream that is streaming a reply is not probed. */
  readonly probeEveryMs: number
}

export const upstreamTimeouts: UpstreamTimeouts = {
  connectMs: 1000,
  firstByteMs: 85_000,
  idleMs: 30_000,
  // A parser of vLLM 0.28 was silent for 32 s while a model wrote a file of 17,500 characters (vllm#50627).
  callIdleMs: 300_000,
  probeMs: 3000,
  probeEveryMs: 3000,
}

// Otherwise the caller's deadline would pass first and hide the upstream's fault.
assert(upstreamTimeouts.firstByteMs < firstTokenTimeoutMs)
