import { StopMatcher } from '../../stop-matcher.ts'

/**
 * Decodes the token bytes of one generation as UTF-8. It holds back an incomplete character until
 * its last byte arrives; invalid bytes become U+FFFD, as in the WHATWG Encoding standard.
 */
export class TextAssembler {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #stop: StopMatcher

  constructor(stop: readonly string[]) {
    this.#stop = new StopMatcher(stop)
  }

  /** Returns the next text. `stopped`: a stop sequence is complete, and no text may follow. */
  push(bytes: Uint8Array): { text: string; stopped: boolean } {
    return this.#stop.push(this.#decoder.decode(bytes, { stream: true }))
  }

  /** Returns the held-back text; it may complete a stop sequence. */
  finish(): { text: string; stopped: boolean } {
    const { text, stopped } = this.#stop.push(this.#decoder.decode())
    return { text: stopped ? text : text + this.#stop.flush(), stopped }
  }
}
