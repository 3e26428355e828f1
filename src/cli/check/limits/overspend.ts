import type { KeyLimit } from '../../../key-limits.ts'
import { minuteMs } from '../../../time/durations.ts'
import { isAdmitted, leastTokens, type Observation, type Prompt } from './observation.ts'

/** An amount of requests or tokens that was certainly used between two times. */
export type Use = { fromMs: number; toMs: number; amount: number }

/** Usage of one limit that the gateway let through. Any doubt is resolved in the gateway's favour. */
export type Passed = {
  /**
   * For a limit per minute: the most within any 60 seconds. For parallel requests: the most at once. Otherwise the sum.
   */
  most: number
  /** The part of the usage that exceeds the limit in every valid way of counting. */
  overspend: number
}

type Moments = {
  prompt: Prompt
  /** Wall clock minus monotonic clock, in ms. */
  epochMs: number
  /** Returns the longest possible delay, in ms, between the arrival of a reply and our reading it at `ms`. */
  marginAt: (ms: number) => number
  /** Amount that was certainly used in this day or month before the attack. */
  before: number
}

export function measurePassed(
  kind: KeyLimit,
  limit: number,
  seen: readonly Observation[],
  moments: Moments,
): Passed {
  switch (kind.window) {
    case 'parallel':
      return passedAtOnce(limit, seen, moments.marginAt)
    case 'minute':
      return passedPerMinute(limit, usesOf(kind, seen, moments.prompt), moments.epochMs)
    case 'day':
    case 'month': {
      const uses = usesOf(kind, seen, moments.prompt)
      return passedPerPeriod(
        limit,
        uses,
        (ms) => periodOf(kind.window, ms + moments.epochMs),
        moments.before,
      )
    }
  }
}

/**
 * A gateway may count a minute with a token bucket, in minutes of the clock, or in windows that begin with a request.
 * The overspend is the smallest of the three results, so that none of these methods would have allowed it.
 */
export function passedPerMinute(limit: number, uses: readonly Use[], epochMs: number): Passed {
  const overspends = [
    beyondBucket(limit, uses),
    beyondClockWindows(limit, uses, epochMs),
    beyondOpenedWindows(limit, uses),
  ]
  return { most: mostWithin(uses, minuteMs), overspend: Math.min(...overspends) }
}

/**
 * Compares the uses of each interval with a token bucket of size `limit` that refills by `limit` per minute. Returns
 * the largest excess.
 */
function beyondBucket(limit: number, uses: readonly Use[]): number {
  let most = 0
  forIntervals(uses, (sum, ms) => {
    most = Math.max(most, Math.floor(sum - limit * (1 + ms / minuteMs)))
  })
  return most
}

function mostWithin(uses: readonly Use[], spanMs: number): number {
  let most = 0
  forIntervals(uses, (sum, ms) => {
    if (ms <= spanMs) most = Math.max(most, sum)
  })
  return most
}

/**
 * Calls `visit` for each interval from the start of a use to the end of a use, with the sum of the uses that lie wholly
 * within it.
 */
function forIntervals(uses: readonly Use[], visit: (sum: number, ms: number) => void): void {
  const byEnd = uses.toSorted((a, b) => a.toMs - b.toMs)
  for (const { fromMs } of uses) {
    let sum = 0
    for (const use of byEnd) {
      if (use.fromMs < fromMs) continue
      sum += use.amount
      visit(sum, use.toMs - fromMs)
    }
  }
}

function beyondClockWindows(limit: number, uses: readonly Use[], epochMs: number): number {
  return beyondPeriods(limit, uses, (ms) => Math.floor((ms + epochMs) / minuteMs))
}

function beyondOpenedWindows(limit: number, uses: readonly Use[]): number {
  let [endMs, sum, overspend] = [-Infinity, 0, 0]
  for (const { fromMs, toMs, amount } of uses.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (fromMs >= endMs) {
      overspend += Math.max(0, sum - limit)
      endMs = fromMs + minuteMs
      sum = 0
    }
    // A use that spans the end of the window may belong to either window.
    if (toMs < endMs) sum += amount
  }
  return overspend + Math.max(0, sum - limit)
}

function beyondPeriods(
  limit: number,
  uses: readonly Use[],
  indexOf: (ms: number) => number,
): number {
  const sums = new Map<number, number>()
  for (const { fromMs, toMs, amount } of uses) {
    const index = indexOf(fromMs)
    if (index === indexOf(toMs)) sums.set(index, (sums.get(index) ?? 0) + amount)
  }
  return [...sums.values()].reduce((total, sum) => total + Math.max(0, sum - limit), 0)
}

function passedPerPeriod(
  limit: number,
  uses: readonly Use[],
  indexOf: (ms: number) => number,
  before: number,
): Passed {
  const isCertain = uses.every((use) => indexOf(use.fromMs) === indexOf(use.toMs))
  const isOnePeriod = isCertain && new Set(uses.map((use) => indexOf(use.fromMs))).size <= 1
  const sum = uses.reduce((total, { amount }) => total + amount, 0)
  const overspend = isOnePeriod
    ? Math.max(0, before + sum - limit)
    : beyondPeriods(limit, uses, indexOf)
  return { most: before + sum, overspend }
}

function passedAtOnce(
  limit: number,
  seen: readonly Observation[],
  marginAt: Moments['marginAt'],
): Passed {
  const most = mostAtOnce(runsOf(seen, marginAt))
  return { most, overspend: Math.max(0, most - limit) }
}

/** Returns the times in which a stream was certainly running: from its first text to shortly before its last. */
export function runsOf(seen: readonly Observation[], marginAt: Moments['marginAt']): Use[] {
  return seen.flatMap((one) => {
    if (!isAdmitted(one) || one.firstMs === undefined || one.lastMs === undefined) return []
    const toMs = one.lastMs - marginAt(one.lastMs)
    return toMs > one.firstMs ? [{ fromMs: one.firstMs, toMs, amount: 1 }] : []
  })
}

/** Returns the maximum number of uses at the same moment. */
export function mostAtOnce(runs: readonly Use[]): number {
  const edges = runs.flatMap(({ fromMs, toMs }) => [
    { ms: fromMs, step: 1 },
    { ms: toMs, step: -1 },
  ])
  let [now, most] = [0, 0]
  for (const { step } of edges.toSorted((a, b) => a.ms - b.ms || a.step - b.step)) {
    now += step
    most = Math.max(most, now)
  }
  return most
}

function usesOf({ counts }: KeyLimit, seen: readonly Observation[], prompt: Prompt): Use[] {
  return seen.flatMap((one) => {
    const amount = counts === 'tokens' ? leastTokens(one, prompt) : isAdmitted(one) ? 1 : 0
    return amount === 0 ? [] : [{ fromMs: one.sentMs, toMs: one.endMs, amount }]
  })
}

function periodOf(window: 'day' | 'month', ms: number): number {
  const date = new Date(ms)
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth()
  return window === 'month' ? month : month * 31 + date.getUTCDate()
}
