/** For metrics; counted since the start, over all engine processes. */
export type EngineStats = {
  readonly slots: number
  readonly slotsBusy: number
  readonly restarts: number
  readonly steps: number
  /** Computed, not found in the KV cache. */
  readonly promptTokens: number
  readonly completionTokens: number
  /** Of the completion tokens: those that were guessed right, and so cost no step of their own. */
  readonly guessedTokens: number
  /** Generations that found a part of their prompt in the KV cache. */
  readonly kvReuseHits: number
  readonly kvReusedTokens: number
}
