import { percentile } from '../load.ts'
import type { Step } from './arrivals.ts'
import type { Load } from './load-clients.ts'
import type { Outcome } from './send-request.ts'

/** Returns true if the tokens of a whole reply equal those in the ledger. Only such a reply is a good one. */
export type IsRight = (outcome: Outcome) => boolean

/** Processor time that a service has used since its start, in ms. A service of one process has no front. */
export type ProcessorTime = { frontMs: number | undefined; engineMs: number }

/** Processor time of a service at one moment, on the clock of the outcomes. */
export type ProcessorSample = ProcessorTime & { atMs: number }

/** Figures of one step; times in ms. */
export type StepFigures = {
  factor: number
  offeredPerSecond: number
  goodTokensPerSecond: number
  refusedShare: number
  refusalP50Ms: number
  refusalP99Ms: number
  /** Refusals of requests that had waited in the queue: those slower than `lateRefusalMs`. */
  refusedLate: number
  /** Infinite if that many clients gave up before the first token. */
  firstP50Ms: number
  firstP99Ms: number
  abandoned: number
  broken: number
  /** Whole replies that are missing from the ledger, or have other token counts there. */
  wrong: number
  /** Delay of the clients themselves before they sent a request. */
  lateP99Ms: number
  /** Cores that the processes of the service used. */
  cores: { front: number | undefined; engine: number }
}

/** Longest time of a refusal on arrival. A slower refusal came after the request had waited in the queue. */
const lateRefusalMs = 1_000

/**
 * Returns the figures of each step. The tokens of a reply count in the step in which it ended. Everything else counts
 * in the step in which the request was due.
 */
export function measureSteps(
  { outcomes, startMs, samples }: Load & { samples: readonly ProcessorSample[] },
  steps: readonly Step[],
  isRight: IsRight,
): StepFigures[] {
  let beginMs = startMs
  return steps.map(({ factor, durationMs }) => {
    const endMs = beginMs + durationMs
    const isWithin = (ms: number) => ms >= beginMs && ms < endMs
    const begun = outcomes.filter(({ intendedMs }) => isWithin(intendedMs))
    const ended = outcomes.filter((outcome) => isWithin(outcome.endMs))
    const good = ended.filter((outcome) => isGood(outcome, isRight))
    const tokens = good.reduce((sum, { completionTokens }) => sum + completionTokens, 0)
    const within = samples.filter(({ atMs }) => isWithin(atMs))
    const figures = { ...figuresOf(begun, isRight), factor, cores: coresOf(within) }
    const perSecond = 1000 / durationMs
    beginMs = endMs
    return {
      ...figures,
      offeredPerSecond: begun.length * perSecond,
      goodTokensPerSecond: tokens * perSecond,
    }
  })
}

function coresOf(samples: readonly ProcessorSample[]): StepFigures['cores'] {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined) return { front: undefined, engine: NaN }
  const elapsedMs = last.atMs - first.atMs
  return {
    front:
      first.frontMs === undefined || last.frontMs === undefined
        ? undefined
        : (last.frontMs - first.frontMs) / elapsedMs,
    engine: (last.engineMs - first.engineMs) / elapsedMs,
  }
}

function figuresOf(begun: readonly Outcome[], isRight: IsRight) {
  const of = (ending: Outcome['ending']) => begun.filter((outcome) => outcome.ending === ending)
  const refusalsMs = of('refused').map(({ endMs, intendedMs }) => endMs - intendedMs)
  const firstsMs = firstTokensMs(begun)
  const late = begun.map(({ sentMs, intendedMs }) => sentMs - intendedMs)
  return {
    refusedShare: refusalsMs.length / begun.length,
    refusalP50Ms: percentile(refusalsMs, 0.5),
    refusalP99Ms: percentile(refusalsMs, 0.99),
    refusedLate: refusalsMs.filter((ms) => ms > lateRefusalMs).length,
    firstP50Ms: percentile(firstsMs, 0.5),
    firstP99Ms: percentile(firstsMs, 0.99),
    abandoned: of('abandoned').length,
    broken: of('broken').length,
    wrong: of('whole').filter((outcome) => !isRight(outcome)).length,
    lateP99Ms: percentile(late, 0.99),
  }
}

/**
 * Returns the times to first token of the streams that were served or that their clients gave up. A stream that its
 * client gave up before the first token took infinitely long.
 */
export function firstTokensMs(outcomes: readonly Outcome[]): number[] {
  return outcomes.flatMap(({ ending, isStream, firstMs, intendedMs }) => {
    if (!isStream || (ending !== 'whole' && ending !== 'abandoned')) return []
    if (firstMs !== undefined) return [firstMs - intendedMs]
    return ending === 'abandoned' ? [Infinity] : []
  })
}

/** Returns the good replies per second that ended from `fromMs` to `toMs`, and their tokens per second. */
export function goodRates(
  outcomes: readonly Outcome[],
  fromMs: number,
  toMs: number,
  isRight: IsRight,
): { tokens: number; replies: number } {
  const good = outcomes.filter(
    (outcome) => isGood(outcome, isRight) && outcome.endMs >= fromMs && outcome.endMs < toMs,
  )
  const perSecond = 1000 / (toMs - fromMs)
  const tokens = good.reduce((sum, { completionTokens }) => sum + completionTokens, 0)
  return { tokens: tokens * perSecond, replies: good.length * perSecond }
}

/**
 * Returns the time from the drop of the load until at least 95 % of the arriving requests get a good reply, both in the
 * next five seconds and in the rest of the step. Undefined if that never happens.
 */
export function recoveryMs(
  outcomes: readonly Outcome[],
  droppedMs: number,
  endMs: number,
  isRight: IsRight,
): number | undefined {
  const arrived = outcomes.filter(({ intendedMs }) => intendedMs >= droppedMs && intendedMs < endMs)
  const isServed = (fromMs: number, toMs: number) => {
    const some = arrived.filter(({ intendedMs }) => intendedMs >= fromMs && intendedMs < toMs)
    return some.filter((one) => isGood(one, isRight)).length >= 0.95 * some.length
  }
  const windowMs = 5_000
  for (let fromMs = droppedMs; fromMs <= endMs - windowMs; fromMs += 250)
    if (isServed(fromMs, fromMs + windowMs) && isServed(fromMs, endMs)) return fromMs - droppedMs
  return undefined
}

function isGood(outcome: Outcome, isRight: IsRight): boolean {
  return outcome.ending === 'whole' && isRight(outcome)
}
