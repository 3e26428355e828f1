import { ServiceError } from '../../errors.ts'

const strikesMax = 2
const strikeLifetimeMs = 10 * 60_000
const entriesMax = 1000

type Entry = { readonly strikes: number; readonly untilMs: number }

/** A request; equal requests have the same fingerprint, which takes time to compute. */
type Suspect = { fingerprint(): string }

/** Refuses requests that were running at two crashes or hangs of the engine process. */
export class Quarantine {
  readonly #now: () => number
  /** Ordered by the last strike. */
  readonly #entries = new Map<string, Entry>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Counts a crash for each of the requests; several choices of one request count once. */
  strike(suspects: readonly Suspect[]): void {
    for (const fingerprint of new Set(suspects.map((suspect) => suspect.fingerprint())))
      this.#strike(fingerprint)
  }

  /** Forgets the strikes of a request that has ended well, unless another choice of it is among `others`. */
  clear(request: Suspect, others: Iterable<Suspect> = []): void {
    if (this.#entries.size === 0) return
    const fingerprint = request.fingerprint()
    if (!this.#entries.has(fingerprint)) return
    for (const other of others) if (other.fingerprint() === fingerprint) return
    this.#entries.delete(fingerprint)
  }

  refuses(request: Suspect): boolean {
    return this.#entries.size > 0 && this.#strikes(request.fingerprint()) >= strikesMax
  }

  #strike(fingerprint: string): void {
    const strikes = this.#strikes(fingerprint) + 1
    this.#entries.delete(fingerprint)
    this.#entries.set(fingerprint, { strikes, untilMs: this.#now() + strikeLifetimeMs })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > entriesMax && oldest !== undefined) this.#entries.delete(oldest)
  }

  #strikes(fingerprint: string): number {
    const entry = this.#entries.get(fingerprint)
    if (entry === undefined) return 0
    if (entry.untilMs > this.#now()) return entry.strikes
    this.#entries.delete(fingerprint)
    return 0
  }
}

/** @param costsNothing true if the engine did not begin the prompt, so that it is not charged */
export function quarantinedError({ costsNothing = false } = {}): ServiceError {
  return new ServiceError(
    'engine_failed',
    'The engine stopped twice while it worked on this request, so it is refused for some minutes. Change the request, or try again later.',
    { costsNothing },
  )
}
