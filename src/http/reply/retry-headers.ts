const retryAfterMsMax = 60_000

/** Returns the headers that say when to try again: whole seconds from 1 to 60, and the same in milliseconds. */
export function retryHeaders(ms: number): Record<string, string> {
  const inBounds = Math.min(Math.max(1, Math.round(ms)), retryAfterMsMax)
  return {
    'retry-after': String(Math.ceil(inBounds / 1000)),
    'retry-after-ms': String(inBounds),
  }
}

/**
 * Adds up to 50 % jitter, so that callers refused at the same time do not retry at the same time. Never returns less
 * than `ms`. Returns more than 60 s only if `ms` itself is more, because clients ignore larger values.
 * @param random from 0 to 1
 */
export function spread(ms: number, random: number = Math.random()): number {
  const most = Math.max(ms, Math.min(1.5 * ms, retryAfterMsMax))
  return ms + random * (most - ms)
}
