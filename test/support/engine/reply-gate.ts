import type { ScriptedEngineOptions } from '../../../src/engine/scripted-engine.ts'

type Gate = NonNullable<ScriptedEngineOptions['gate']>
type ReplyGateOptions = {
  /** Holds only replies to conversations that contain this text. Default: all replies. */
  readonly marker?: string
  /** Numbers of tokens at which a reply waits. Default: 1. */
  readonly afterTokens?: number | readonly number[]
}

/**
 * Holds replies of the scripted engine, so that they run until the test releases them. Pass `gate` to the engine as its
 * option. A held reply also ends when its request is aborted or the engine is closed.
 */
export class ReplyGate {
  readonly #marker: string
  readonly #afterTokens: readonly number[]
  #releases: (() => void)[] = []

  constructor({ marker = '', afterTokens = 1 }: ReplyGateOptions = {}) {
    this.#marker = marker
    this.#afterTokens = [afterTokens].flat()
  }

  readonly gate: Gate = (messages, tokens) => {
    if (!this.#afterTokens.includes(tokens)) return undefined
    if (!messages.some(({ content }) => content.includes(this.#marker))) return undefined
    return new Promise((resolve) => this.#releases.push(resolve))
  }

  /** Number of replies that were held since the last release, aborted ones included. */
  get held(): number {
    return this.#releases.length
  }

  /** Lets all held replies continue, each to its next wait if it has one. Replies that begin later are held again. */
  release(): void {
    for (const release of this.#releases.splice(0)) release()
  }
}
