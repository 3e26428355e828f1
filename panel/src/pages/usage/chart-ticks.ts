import type { UsageStep } from '../../../../src/protocol/panel-usage.ts'

/**
 * Returns the indices of the points to label, at most `labelsMax`. Hours follow the clock (0, 6, 12,
 * 18) and days have equal gaps, so that a clock change does not shift the labels.
 */
export function chooseTicks(
  beginsMs: readonly number[],
  step: UsageStep,
  labelsMax: number,
): number[] {
  const indices = beginsMs.map((_, index) => index)
  if (step === 'hour') {
    for (const hours of [1, 2, 3, 6, 12, 24]) {
      const chosen = indices.filter((index) => isFullHour(beginsMs[index] ?? 0, hours))
      if (chosen.length <= labelsMax) return chosen
    }
    return everyNth(
      indices.filter((index) => isFullHour(beginsMs[index] ?? 0, 24)),
      labelsMax,
    )
  }
  return everyNth(indices, labelsMax)
}

function isFullHour(beginMs: number, hours: number): boolean {
  return new Date(beginMs).getHours() % hours === 0
}

/** Returns every nth index, counted from the last one, which is always included. */
function everyNth(indices: readonly number[], labelsMax: number): number[] {
  const gap = Math.max(1, Math.ceil(indices.length / Math.max(1, labelsMax)))
  return indices.filter((_, place) => (indices.length - 1 - place) % gap === 0)
}

/** Returns round ticks up to at least the highest value: 0, 20, 40, 60. */
export function valueTicks(highest: number, ticksMax: number): number[] {
  const gap = niceGap(Math.max(highest, 1) / Math.max(1, ticksMax))
  const count = Math.max(1, Math.ceil(highest / gap))
  return Array.from({ length: count + 1 }, (_, index) => index * gap)
}

/** Returns 1, 2 or 5 times a power of ten, at least 1, because the values are whole numbers. */
function niceGap(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, atLeast)))
  for (const factor of [1, 2, 5, 10]) if (factor * power >= atLeast) return factor * power
  return 10 * power
}
