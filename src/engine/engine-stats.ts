/** Counters since the start of the service, summed over all engine processes. */
export type EngineStats = {
  /** Generations that occupy a slot now. */
  readonly slotsBusy: number
  readonly restarts: number
  readonly steps: number
  /** Prompt tokens that were computed, not found in the KV cache. */
  readonly promptTokens: number
  readonly completionTokens: number
  /** Completion tokens that were accepted from speculation, so that they cost no step of their own. */
  readonly speculativeTokens: number
  /** Prompt tokens that were found in the KV cache. */
  readonly cachedTokens: number
}
