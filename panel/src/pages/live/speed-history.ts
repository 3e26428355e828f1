import type { PanelLive } from '../../../../src/protocol/panel-live.ts'

/** Two minutes at one sample in two seconds. */
export const samplesMax = 60

export type Sample = { atMs: number; promptPerSecond: number; completionPerSecond: number }

/** The latest last; a sample that is there already is not taken twice. */
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
  return [...history, sample].slice(-samplesMax)
}

/** Points of a line in a box of 100 × 100, the latest at its right; undefined: less than two. */
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
