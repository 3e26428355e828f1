/** Text to deliver. After `stopped` no further text may be delivered. */
type Delivered = { text: string; stopped: boolean }

/** Texts from which on stop sequences have no effect, themselves included. */
export type StopEnd = {
  readonly texts: readonly string[]
  /** True if only such a text at the start counts. */
  readonly isAtStart: boolean
}

export const noEnd: StopEnd = { texts: [], isAtStart: false }

/**
 * Finds the first stop sequence in a text that arrives in parts. The result does not depend on how the text is divided.
 * The sequence that ends first wins; of two that end together, the longer one wins.
 */
export class StopMatcher {
  #stop: readonly string[]
  #until: readonly string[]
  /** True as long as only a text of `#until` at the start of the pending text counts. */
  readonly #isAtStart: boolean
  /** A possible beginning of a stop sequence or of a text of `#until`, not yet delivered. */
  #held = ''

  constructor(stop: readonly string[], until = noEnd) {
    // Generated text is well-formed, so a lone surrogate can only match half a character.
    this.#stop = stop.filter((sequence) => sequence !== '' && sequence.isWellFormed())
    this.#until = until.texts
    this.#isAtStart = until.isAtStart
  }

  push(text: string): Delivered {
    if (this.#stop.length === 0) return { text, stopped: false }
    const pending = this.#held + text
    this.#held = ''
    // All text is held back until it is known whether it begins with one of these texts.
    if (this.#isAtStart)
      this.#until = this.#until.filter((one) => pending.startsWith(one) || one.startsWith(pending))
    const match = firstMatch(pending, this.#stop)
    const stopAt = match?.start ?? pending.length
    if (this.#until.some((one) => isWithin(pending.indexOf(one), stopAt))) {
      this.#stop = []
      return { text: pending, stopped: false }
    }
    const untilAt = possibleStart(pending, this.#until)
    if (match !== undefined && stopAt < untilAt)
      return { text: pending.slice(0, stopAt), stopped: true }
    const heldFrom = Math.min(untilAt, possibleStart(pending, this.#stop))
    this.#held = pending.slice(heldFrom)
    return { text: pending.slice(0, heldFrom), stopped: false }
  }

  /** Returns what was held back, up to a stop sequence in it. */
  flush(): Delivered {
    const text = this.#held
    this.#held = ''
    const match = firstMatch(text, this.#stop)
    return { text: text.slice(0, match?.start), stopped: match !== undefined }
  }
}

function isWithin(at: number, end: number): boolean {
  return at !== -1 && at <= end
}

type Match = { start: number; end: number }

function firstMatch(text: string, stop: readonly string[]): Match | undefined {
  let first: Match | undefined
  for (const sequence of stop) {
    const start = text.indexOf(sequence)
    if (start === -1) continue
    const end = start + sequence.length
    if (first === undefined || end < first.end || (end === first.end && start < first.start)) {
      first = { start, end }
    }
  }
  return first
}

/** Returns the start of the longest suffix of `text` that is a prefix of one of the sequences. */
function possibleStart(text: string, stop: readonly string[]): number {
  let earliest = text.length
  for (const sequence of stop) {
    const firstChar = sequence.charAt(0)
    let start = text.indexOf(firstChar, Math.max(0, text.length - sequence.length + 1))
    while (start !== -1 && start < earliest) {
      if (sequence.startsWith(text.slice(start))) earliest = start
      start = text.indexOf(firstChar, start + 1)
    }
  }
  return earliest
}
