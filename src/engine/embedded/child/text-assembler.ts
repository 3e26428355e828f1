import { StopMatcher } from '../../stop-matcher.ts'

/**
 * Makes whole text of one generation's token bytes. A character whose bytes are split over tokens
 * waits for the rest; bytes that are not UTF-8, or that never become a whole character, are U+FFFD,
 * one for each longest beginning of a character, as browsers do it.
 */
export class TextAssembler {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #stop: StopMatcher

  constructor(stop: readonly string[]) {
    this.#stop = new StopMatcher(stop)
  }

  /** `stopped`: a stop sequence is complete; only `text` before it may be delivered, and no more. */
  push(bytes: Uint8Array): { text: string; stopped: boolean } {
    return this.#stop.push(this.#decoder.decode(bytes, { stream: true }))
  }

  /** What is left at the end; a stop sequence may still be completed by it. */
  finish(): { text: string; stopped: boolean } {
    const { text, stopped } = this.#stop.push(this.#decoder.decode())
    return { text: stopped ? text : text + this.#stop.flush(), stopped }
  }
}
