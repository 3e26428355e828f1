/** A limit of n per minute is n at once and n/60,000 more each millisecond; so all counts are whole. */
const unitsPerToken = 60_000

/** What one taker has taken: where its part of the debt ends. */
export type Share = { end: number }

/**
 * A generic cell rate: what is taken is a debt that is paid off at the limit's pace, first taken first
 * paid. What is given back late was paid in the meantime, in part or wholly, and only the rest counts:
 * so nobody ever gets more than the limit, and nobody loses what could still be given back.
 */
export class TokenBucket {
  #taken = 0
  #paid = 0
  #atMs = 0
  readonly #shares = new Set<Share>()

  /** Whether nothing is owed and nothing can come back. */
  get idle(): boolean {
    return this.#shares.size === 0 && this.#taken === this.#paid
  }

  /** How long until so many can be taken; 0: now; Infinity: never. */
  waitMs(limit: number, tokens: number, nowMs: number): number {
    if (tokens > limit) return Infinity
    this.#pay(limit, nowMs)
    const excess = this.#taken - this.#paid + (tokens - limit) * unitsPerToken
    return Math.max(0, Math.ceil(excess / limit))
  }

  /** Without a limit nothing is ever paid, until there is one. */
  take(limit: number | undefined, tokens: number, nowMs: number): Share {
    this.#pay(limit, nowMs)
    this.#taken += tokens * unitsPerToken
    const share = { end: this.#taken }
    this.#shares.add(share)
    return share
  }

  /** For what an earlier start took. */
  owe(tokens: number, nowMs: number): void {
    this.#shares.delete(this.take(undefined, tokens, nowMs))
  }

  /** Once for each share. */
  giveBack(share: Share, limit: number | undefined, tokens: number, nowMs: number): void {
    this.#pay(limit, nowMs)
    this.#shares.delete(share)
    const credit = Math.min(tokens * unitsPerToken, Math.max(0, share.end - this.#paid))
    this.#taken -= credit
    for (const later of this.#shares) if (later.end > share.end) later.end -= credit
  }

  remaining(limit: number, nowMs: number): number {
    this.#pay(limit, nowMs)
    const debt = this.#taken - this.#paid
    return Math.max(0, Math.floor((limit * unitsPerToken - debt) / unitsPerToken))
  }

  /** How long until all of the limit can be taken. */
  fullInMs(limit: number, nowMs: number): number {
    this.#pay(limit, nowMs)
    return Math.ceil((this.#taken - this.#paid) / limit)
  }

  #pay(limit: number | undefined, nowMs: number): void {
    const elapsedMs = Math.max(0, nowMs - this.#atMs)
    this.#atMs = Math.max(this.#atMs, nowMs)
    if (limit === undefined) return
    this.#paid = Math.min(this.#taken, this.#paid + elapsedMs * limit)
    if (this.#shares.size > 0) return
    // Of a limit that was lowered, or of an earlier start: an empty bucket is as empty as can be.
    this.#taken = Math.min(this.#taken, this.#paid + limit * unitsPerToken)
    if (!this.idle) return
    this.#taken = 0
    this.#paid = 0
  }
}
