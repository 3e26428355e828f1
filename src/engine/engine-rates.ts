import type { EngineStats } from './engine-stats.ts'

const windowMs = 10_000
const stepMs = 500

export type EngineRates = {
  promptTokensPerSecond: number
  completionTokensPerSecond: number
  /** Of the prompt tokens: those that the KV cache had; undefined: there were none. */
  cachedTokenShare: number | undefined
}

type Sample = { atMs: number; stats: EngineStats }

/** What the engine did in the last seconds; it is looked at only when somebody asks. */
export class EngineRateMeter {
  readonly #stats: () => EngineStats
  readonly #nowMs: () => number
  /** Oldest first; of the older ones than the window, one. */
  #samples: Sample[] = []

  /** @param nowMs a clock that never goes back */
  constructor(stats: () => EngineStats, nowMs: () => number = () => performance.now()) {
    this.#stats = stats
    this.#nowMs = nowMs
  }

  /** Since the last question of about ten seconds ago; all 0 at the first one. */
  read(): EngineRates {
    const now = { atMs: this.#nowMs(), stats: this.#stats() }
    const first = this.#samples.findLastIndex(({ atMs }) => now.atMs - atMs >= windowMs)
    // What was seen long ago says nothing of the last seconds.
    this.#samples = this.#samples
      .slice(Math.max(0, first))
      .filter(({ atMs }) => now.atMs - atMs < 2 * windowMs)
    const [before = now] = this.#samples
    const latest = this.#samples.at(-1)
    if (latest === undefined || now.atMs - latest.atMs >= stepMs) this.#samples.push(now)
    const seconds = (now.atMs - before.atMs) / 1000
    const since = (of: (stats: EngineStats) => number) => of(now.stats) - of(before.stats)
    const [computed, cached] = [since((s) => s.promptTokens), since((s) => s.kvReusedTokens)]
    const perSecond = (tokens: number) => (seconds > 0 ? tokens / seconds : 0)
    return {
      promptTokensPerSecond: perSecond(computed),
      completionTokensPerSecond: perSecond(since((s) => s.completionTokens)),
      cachedTokenShare: computed + cached === 0 ? undefined : cached / (computed + cached),
    }
  }
}
