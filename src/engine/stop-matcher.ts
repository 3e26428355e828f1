/**
 * Finds the first stop sequence in a text that arrives in parts. The result does not depend on how the text is divided.
 * The sequence that ends first wins; of two that end together, the longer one wins.
 */
export class StopMatcher {
  readonly #stop: readonly string[]
  /** A possible beginning of a stop sequence, not yet delivered. */
  #held = ''

  constructor(stop: readonly string[]) {
    // Generated text is well-formed, so a lone surrogate can only match half a character.
    this.#stop = stop.filter((sequence) => sequence !== '' && sequence.isWellFormed())
  }

  /** Returns the text to deliver. After `stopped` no further text may be delivered. */
  push(text: string): { text: string; stopped: boolean } {
    if (this.#stop.length === 0) return { text, stopped: false }
    const pending = this.#held + text
    const match = firstMatch(pending, this.#stop)
    if (match !== undefined) {
      this.#held = ''
      return { text: pending.slice(0, match.start), stopped: true }
    }
    const heldFrom = possibleStart(pending, this.#stop)
    this.#held = pending.slice(heldFrom)
    return { text: pending.slice(0, heldFrom), stopped: false }
  }

  /** Returns the text held back as a possible beginning of a stop sequence. */
  flush(): string {
    const text = this.#held
    this.#held = ''
    return text
  }
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

/** Returns the start of the longest suffix of `text` that is a prefix of a stop sequence. */
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
