import type { EngineStats } from './engine.ts'

const windowMs = 10_000
const stepMs = 500

export type EngineRates = {
  promptTokensPerSecond: number
  completionTokensPerSecond: number
  /** Share of the prompt tokens found in the KV cache; undefined if there were no prompt tokens. */
  cachedTokenShare: number | undefined
}

type Sample = { atMs: number; stats: EngineStats }

/** Measures the engine's speed over the last seconds. It samples the counters only when it is read. */
export class EngineRateMeter {
  readonly #stats: () => EngineStats
  readonly #nowMs: () => number
  /** Oldest first; at most one of them is older than the window. */
  #samples: Sample[] = []

  /** @param nowMs a monotonic clock */
  constructor(stats: () => EngineStats, nowMs: () => number = () => performance.now()) {
    this.#stats = stats
    this.#nowMs = nowMs
  }

  /** Returns the rates of about the last ten seconds. At the first reading, the tokens per second are 0. */
  read(): EngineRates {
    const now = { atMs: this.#nowMs(), stats: this.#stats() }
    const first = this.#samples.findLastIndex(({ atMs }) => now.atMs - atMs >= windowMs)
    // Drops older samples after a long pause, because the rates would average over the pause.
    this.#samples = this.#samples
      .slice(Math.max(0, first))
      .filter(({ atMs }) => now.atMs - atMs < 2 * windowMs)
    const [before = now] = this.#samples
    const latest = this.#samples.at(-1)
    if (latest === undefined || now.atMs - latest.atMs >= stepMs) this.#samples.push(now)
    const seconds = (now.atMs - before.atMs) / 1000
    const since = (of: (stats: EngineStats) => number) => of(now.stats) - of(before.stats)
    const [computed, cached] = [since((s) => s.promptTokens), since((s) => s.cachedTokens)]
    const perSecond = (tokens: number) => (seconds > 0 ? tokens / seconds : 0)
    return {
      promptTokensPerSecond: perSecond(computed),
      completionTokensPerSecond: perSecond(since((s) => s.completionTokens)),
      cachedTokenShare: computed + cached === 0 ? undefined : cached / (computed + cached),
    }
  }
}
