const strikesMax = 2
const strikeLifetimeMs = 10 * 60_000
const entriesMax = 1000

type Entry = { readonly strikes: number; readonly untilMs: number }

/** Refuses requests that were running twice when the engine process crashed or hung. */
export class Quarantine {
  readonly #now: () => number
  /** Ordered by the last strike. */
  readonly #entries = new Map<string, Entry>()

  constructor(now: () => number) {
    this.#now = now
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  strike(fingerprint: string): void {
    const strikes = this.#strikes(fingerprint) + 1
    this.#entries.delete(fingerprint)
    this.#entries.set(fingerprint, { strikes, untilMs: this.#now() + strikeLifetimeMs })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > entriesMax && oldest !== undefined) this.#entries.delete(oldest)
  }

  /** Forgets the strikes of a request that has ended well. */
  clear(fingerprint: string): void {
    this.#entries.delete(fingerprint)
  }

  refuses(fingerprint: string): boolean {
    return this.#strikes(fingerprint) >= strikesMax
  }

  #strikes(fingerprint: string): number {
    const entry = this.#entries.get(fingerprint)
    if (entry === undefined) return 0
    if (entry.untilMs > this.#now()) return entry.strikes
    this.#entries.delete(fingerprint)
    return 0
  }
}
