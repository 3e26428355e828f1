import type { PanelLive } from '../../../../src/protocol/panel-live.ts'

/** The lines show two minutes, at one sample every two seconds. */
const shownMs = 120_000
const samplesMax = 60

export type Sample = { atMs: number; promptPerSecond: number; completionPerSecond: number }

/** Appends a sample, unless it is already the last one. Drops those that are too old to be shown, as after a pause. */
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
  const shown = history.filter((earlier) => earlier.atMs > atMs - shownMs)
  return [...shown, sample].slice(-samplesMax)
}

/** Returns SVG points in a 100 × 100 box with the latest value at the right, or undefined for fewer than two values. */
export function toLine(values: readonly number[]): string | undefined {
  if (values.length < 2) return undefined
  const highest = Math.max(...values, 1)
  const step = 100 / (samplesMax - 1)
  const first = 100 - (values.length - 1) * step
  return values
    .map((value, index) => {
      const x = first + index * step
      const y = 100 - (100 * value) / highest
      return `${x.toFixed(2)},${y.toFixed(2)}`
    })
    .join(' ')
}
