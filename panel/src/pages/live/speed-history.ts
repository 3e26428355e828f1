import type { PanelLive } from '../../../../src/protocol/panel-live.ts'

/** The lines show two minutes, at one sample every two seconds. */
const shownMs = 120_000
const samplesMax = 60
/** Longer than a poll whose response is slow. */
const joinedMs = 10_000

export type Sample = { atMs: number; promptPerSecond: number; completionPerSecond: number }
export type Speed = 'promptPerSecond' | 'completionPerSecond'

/**
 * Appends a sample, unless it is already the last one. Drops those that are too old to be shown, as after a pause, and
 * those that seem to be later, as after the clock was set back.
 */
export function addSample(
  history: readonly Sample[],
  { engine }: PanelLive,
  atMs: number,
): readonly Sample[] {
  if (history.at(-1)?.atMs === atMs) return history
  const sample = {
    atMs,
    promptPerSecond: engine.prompt_tokens_per_second,
    completionPerSecond: engine.completion_tokens_per_second,
  }
  const shown = history.filter((earlier) => earlier.atMs > atMs - shownMs && earlier.atMs < atMs)
  return [...shown, sample].slice(-samplesMax)
}

/**
 * Returns an SVG path in a 100 × 100 box. Each sample is at its time, the latest one at the right. A pause leaves a gap,
 * because a line would show a speed that was not measured. Returns undefined for fewer than two samples.
 */
export function toLine(history: readonly Sample[], speed: Speed): string | undefined {
  const latest = history.at(-1)
  if (latest === undefined || history.length < 2) return undefined
  const highest = Math.max(...history.map((sample) => sample[speed]), 1)
  return history
    .map((sample, index) => {
      const x = 100 - (100 * (latest.atMs - sample.atMs)) / shownMs
      const y = 100 - (100 * sample[speed]) / highest
      const before = history[index - 1]
      const isJoined = before !== undefined && sample.atMs - before.atMs <= joinedMs
      return `${isJoined ? 'L' : 'M'}${x.toFixed(2)},${y.toFixed(2)}`
    })
    .join(' ')
}
