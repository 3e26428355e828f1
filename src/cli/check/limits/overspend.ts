import type { KeyLimit } from '../../../key-limits.ts'
import { minuteMs } from '../../../time/durations.ts'
import { isAdmitted, leastTokens, type Observation, type Prompt } from './observation.ts'

/** An amount that was certainly used between two times. */
export type Use = { fromMs: number; toMs: number; amount: number }

/** The use of one limit that the gateway let through, counted in its favour wherever a doubt remains. */
export type Passed = {
  /** For a minute: the most that lies within any 60 seconds. For parallel requests: the most at once. Else the sum. */
  most: number
  /** The part that no honest way of counting allows. */
  overspend: number
}

type Moments = {
  prompt: Prompt
  /** Wall clock minus monotonic clock. */
  epochMs: number
  /** Time by which a reply that we read at `ms` may have arrived earlier. */
  marginAt: (ms: number) => number
  /** Used in this day or month before the attack. */
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
 * A minute may be counted as a token bucket, in the minutes of the clock, or in windows that begin with a request. The
 * overspend is the smallest over the three: what none of them allows.
 */
export function passedPerMinute(limit: number, uses: readonly Use[], epochMs: number): Passed {
  const overspends = [
    beyondBucket(limit, uses),
    beyondClockWindows(limit, uses, epochMs),
    beyondOpenedWindows(limit, uses),
  ]
  return { most: mostWithin(uses, minuteMs), overspend: Math.min(...overspends) }
}

/** Beyond a bucket of size `limit` that refills at `limit` per minute, in any interval. */
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

/** Calls back with the sum of all uses that lie wholly within each interval between a begin and an end. */
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
    // A use on both sides of the edge may belong to either window.
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

/** Times in which a stream certainly ran: from its first text to shortly before its last one. */
export function runsOf(seen: readonly Observation[], marginAt: Moments['marginAt']): Use[] {
  return seen.flatMap((one) => {
    if (!isAdmitted(one) || one.firstMs === undefined || one.lastMs === undefined) return []
    const toMs = one.lastMs - marginAt(one.lastMs)
    return toMs > one.firstMs ? [{ fromMs: one.firstMs, toMs, amount: 1 }] : []
  })
}

/** The most uses at the same moment. */
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
