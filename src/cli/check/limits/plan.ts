import { StartError } from '../../../errors.ts'
import { type KeyLimit, keyLimits, type Limits } from '../../../key-limits.ts'

/** Maximum number of requests in the whole attack. */
export const requestsMost = 5000
/** Number of tokens above which an attack needs `--yes`. */
const unconfirmedTokens = 100_000
const clientsMost = 256
/**
 * Maximum `max_tokens` of requests that must run for some time. With a real engine, this is long enough for replies to
 * overlap.
 */
const longReplyTokens = 256

export type StatedLimit = { kind: KeyLimit; limit: number }

export type Plan = {
  stated: readonly StatedLimit[]
  urls: readonly string[]
  /** Number of requests that run at once. */
  clients: number
  /** `max_tokens` of the bursts. */
  maxTokens: number
  /** `max_tokens` of requests that must run for some time. */
  longTokens: number
  /** Number of streams to cut before the first token. As many again are cut after it. */
  cuts: number
  /** Number of streams to run at once against a limit on parallel requests; 0 without such a limit. */
  parallel: number
  /** A `max_tokens` that exceeds the lowest stated limit on tokens; undefined without such a limit. */
  oversized: number | undefined
  /** Number of requests in a burst, which is more than the limits allow. */
  burst: number
  tokensMost: number
}

type PlanOptions = { urls: readonly string[]; limits: Limits }

/**
 * Sizes an attack that exceeds every stated limit unless the gateway stops it.
 * @throws StartError if no limit is stated
 */
export function planAttack({ urls, limits }: PlanOptions): Plan {
  const stated = keyLimits.flatMap((kind): StatedLimit[] => {
    const limit = limits[kind.name]
    return limit === undefined ? [] : [{ kind, limit }]
  })
  if (stated.length === 0)
    throw new StartError(
      'State at least one limit of the key, such as --limits requests-per-minute=60.',
    )
  const tokens = least(stated, 'tokens')
  const maxTokens = clamp(Math.round((tokens ?? 320) / 40), 4, 512)
  const longTokens = Math.max(
    maxTokens,
    clamp(Math.round((tokens ?? 5120) / 20), 4, longReplyTokens),
  )
  const perMinute = least(
    stated.filter(({ kind }) => kind.window === 'minute'),
    'requests',
  )
  const places = stated.find(({ kind }) => kind.window === 'parallel')?.limit
  const byTokens = tokens === undefined ? 0 : Math.ceil((2 * tokens) / maxTokens)
  const byRequests = perMinute === undefined ? 0 : 2 * perMinute + 10
  const burst = Math.min(requestsMost, Math.max(byTokens, byRequests, 20))
  const parallel = places === undefined ? 0 : Math.min(clientsMost, 3 * places + urls.length)
  const cuts = Math.min(8, 2 * urls.length)
  return {
    stated,
    urls,
    clients: Math.min(
      clientsMost,
      Math.max(8 * urls.length, places === undefined ? 0 : 2 * places),
    ),
    maxTokens,
    longTokens,
    cuts,
    parallel,
    oversized: tokens === undefined ? undefined : tokens + 1,
    burst,
    tokensMost:
      2 * burst * (maxTokens + promptTokensGuess) +
      (2 * cuts + parallel) * (longTokens + promptTokensGuess) +
      urls.length * (tokens ?? 0),
  }
}

/** @throws StartError unless the user agreed to an attack of this size */
export function requireConsent({ tokensMost }: Plan, isAgreed: boolean): void {
  if (isAgreed || tokensMost <= unconfirmedTokens) return
  throw new StartError(
    `The attack may spend up to ${tokensMost} tokens if the gateway does not stop it. ` +
      'Add --yes to run it, or use a key with lower limits.',
  )
}

const promptTokensGuess = 32

function least(stated: readonly StatedLimit[], counts: KeyLimit['counts']): number | undefined {
  const limits = stated
    .filter(({ kind }) => kind.counts === counts && kind.window !== 'parallel')
    .map(({ limit }) => limit)
  return limits.length === 0 ? undefined : Math.min(...limits)
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
