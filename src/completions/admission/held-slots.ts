import type { Line } from './fair-order.ts'
import type { ServiceRates, Size, Work } from './service-rates.ts'

/** A request that holds its slots. */
type Run = Size & {
  readonly line: Line
  readonly work: Work
  readonly startedMs: number
  /** Aborted when the request is to end early, such as when its caller has left. */
  readonly signal: AbortSignal
}

type Lender = {
  readonly now: () => number
  noteTokens(line: Line, tokens: number): void
  release(held: HeldSlots, count: number): void
}

/** Slots held by one request until their release, and the tokens generated in them. */
export class HeldSlots {
  readonly #run: Run
  readonly #lender: Lender
  /** Slots that the request can still use. */
  #wanted: number
  #count = 0
  /** Largest `#count` so far. */
  #most = 0
  /** Slot time used until `#changedMs`. */
  #usedMs = 0
  #changedMs: number
  #tokens = 0
  #firstTokenMs = 0

  constructor(run: Run, lender: Lender) {
    this.#run = run
    this.#lender = lender
    this.#wanted = run.slots
    this.#changedMs = run.startedMs
  }

  get count(): number {
    return this.#count
  }

  get line(): Line {
    return this.#run.line
  }

  get startedMs(): number {
    return this.#run.startedMs
  }

  get hasTokens(): boolean {
    return this.#tokens > 0
  }

  /** Further slots that the request can use. */
  get lacking(): number {
    return this.#wanted - this.#count
  }

  /**
   * Predicts the slot time that the request still needs. The prediction is at least a quarter of the slot time used so
   * far, because a request may take longer than expected. It is 0 for a request that was told to end, because
   * the engine ends it with the current step.
   */
  remainingMs(rates: ServiceRates, nowMs: number): number {
    if (this.#run.signal.aborted) return 0
    const usedMs = this.#usedAt(nowMs)
    return (this.#count / this.#most) * Math.max(rates.costMs(this.#run) - usedMs, usedMs / 4)
  }

  /** Counts completion tokens and charges them to the request's line. */
  noteTokens(tokens: number): void {
    if (this.#tokens === 0) this.#firstTokenMs = this.#lender.now()
    this.#tokens += tokens
    this.#lender.noteTokens(this.#run.line, tokens)
  }

  /** Adds slots that the request has got. */
  add(slots: number): void {
    this.#changeTo(this.#count + slots)
    this.#most = Math.max(this.#most, this.#count)
  }

  /** Keeps at most `most` slots and releases the others. */
  keep(most: number): void {
    this.#wanted = Math.min(this.#wanted, most)
    const surplus = this.#count - most
    if (surplus <= 0) return
    this.#changeTo(most)
    this.#lender.release(this, surplus)
  }

  release(): void {
    this.keep(0)
  }

  /** Reports the measured times once the request has ended. */
  noteEnd(rates: ServiceRates, nowMs: number): void {
    if (this.#tokens === 0) return
    const { line, slots, work, startedMs } = this.#run
    // Choices that took turns tell no time of one reply.
    if (this.#most === slots)
      rates.noteServed({
        promptTokens: work.promptTokens,
        prefillMs: this.#firstTokenMs - startedMs,
        laterTokens: this.#tokens / slots - 1,
        decodeMs: nowMs - this.#firstTokenMs,
      })
    const key = line.parent
    if (key === undefined || work.outputTokensMax === 0) return
    key.outputShare += (this.#tokens / work.outputTokensMax - key.outputShare) / 8
  }

  #changeTo(count: number): void {
    const nowMs = this.#lender.now()
    this.#usedMs = this.#usedAt(nowMs)
    this.#changedMs = nowMs
    this.#count = count
  }

  #usedAt(nowMs: number): number {
    return this.#usedMs + this.#count * (nowMs - this.#changedMs)
  }
}
