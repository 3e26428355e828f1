import type { LimitName } from '../../../key-limits.ts'
import {
  isAdmitted,
  leastTokens,
  mayHaveRun,
  type Observation,
  type Prompt,
} from './observation.ts'
import { measurePassed, type Passed, runsOf, mostAtOnce } from './overspend.ts'
import type { StatedLimit } from './plan.ts'
import { hadRoom, wrongRefusals } from './refusals.ts'
import type { Source } from './reported.ts'
import type { Before } from './use-before.ts'

/** A value, or the reason why it is unknown. */
export type Known<Value> = Value | { unknown: string }

type LimitFinding = Passed & {
  name: LimitName
  wireName: string
  limit: number
  /** `ok` only if the attack reached the limit and the gateway did not exceed it. */
  verdict: 'ok' | 'OVERSPEND' | 'unknown'
  reason: string | undefined
}

type Lost = { id: string; phase: string; delivered: number; recorded: number | undefined }

export type Findings = {
  limits: LimitFinding[]
  requests: Record<'sent' | 'admitted' | 'refused' | 'failed' | 'cut', number>
  tokens: { delivered: number; reported: Known<number> }
  wrongRefusals: {
    count: number
    of: number
    byPhase: Record<string, number>
    example: string | undefined
  }
  lostUsage: Known<{ replies: Lost[]; tokens: number; of: number }>
  /** Executions of the request that was sent several times with one Idempotency-Key. */
  idempotency: Known<{ sent: number; executed: number }>
}

type Judged = {
  stated: readonly StatedLimit[]
  seen: readonly Observation[]
  promptBytes: number
  epochMs: number
  marginAt: (ms: number) => number
  source: Source | undefined
  totals: Map<string, number> | undefined
}

export function judge(judged: Judged): Findings {
  const { stated, source, totals } = judged
  const seen = withTrustedDeltas(judged.seen)
  const prompt: Prompt = { tokens: promptTokensOf(seen), bytes: judged.promptBytes }
  const before: Before = source?.before ?? new Map()
  const isUsed = (test: (one: Observation) => boolean) => seen.filter(test).length
  const wrong = wrongRefusals(stated, seen, prompt, before)
  const refused = isUsed(({ status }) => status === 429)
  return {
    limits: stated.map((one) => judgeLimit(one, { ...judged, seen }, prompt, before)),
    requests: {
      sent: seen.length,
      admitted: isUsed(isAdmitted),
      refused: isUsed(({ ending }) => ending === 'refused'),
      failed: isUsed(({ ending }) => ending === 'failed'),
      cut: isUsed(({ ending }) => ending === 'cut'),
    },
    tokens: {
      delivered: seen.reduce((sum, one) => sum + leastTokens(one, prompt), 0),
      reported:
        totals === undefined
          ? { unknown: noRecords(source) }
          : [...totals.values()].reduce((a, b) => a + b, 0),
    },
    wrongRefusals: {
      count: wrong.length,
      of: refused,
      byPhase: countBy(wrong, ({ phase }) => phase),
      example: wrong[0]?.error,
    },
    lostUsage: findLost(seen, prompt, source, totals),
    idempotency: countExecutions(seen),
  }
}

function judgeLimit(
  { kind, limit }: StatedLimit,
  judged: Judged,
  prompt: Prompt,
  before: Before,
): LimitFinding {
  const { seen, epochMs, marginAt } = judged
  const { least, most } = before.get(kind.name) ?? { least: 0, most: 0 }
  const moments = { prompt, epochMs, marginAt, before: least }
  const passed = measurePassed(kind, limit, seen, moments)
  const finding = { name: kind.name, wireName: kind.wireName, limit, ...passed }
  if (passed.overspend > 0) return { ...finding, verdict: 'OVERSPEND', reason: undefined }
  const reason = whyUnknown({ kind, limit }, judged, passed, { prompt, before: most })
  return { ...finding, verdict: reason === undefined ? 'ok' : 'unknown', reason }
}

function whyUnknown(
  { kind, limit }: StatedLimit,
  { seen, marginAt }: Judged,
  { most }: Passed,
  { prompt, before }: { prompt: Prompt; before: number },
): string | undefined {
  const refusals = seen.filter(({ status }) => status === 429)
  const ran = seen.filter(mayHaveRun)
  if (kind.window === 'parallel' && runsOf(seen, marginAt).length === 0)
    return 'the replies were too short to overlap for certain'
  const atOnce = mostAtOnce(runsOf(seen, () => 0))
  if (kind.window === 'parallel' && atOnce > limit)
    return `from ${most} to ${atOnce} ran at once; the replies are too short to tell`
  if (kind.counts === 'tokens' && !seen.some(({ usage }) => usage !== undefined))
    return 'the replies have no usage'
  // A refusal may come from another limit, so it does not by itself show that this limit was reached.
  const isReached =
    refusals.some(
      (one) => one.phase !== 'oversized' && !hadRoom({ kind, limit }, one, { ran, prompt, before }),
    ) || most >= limit
  if (!isReached) return 'the attack did not reach the limit'
  return undefined
}

/** Counts each piece of text as a token only if that agrees with the usage that streams report. */
function withTrustedDeltas(seen: readonly Observation[]): readonly Observation[] {
  const isTrusted = seen.every(
    ({ usage, deltas, isStream }) => !isStream || usage === undefined || deltas <= usage.completion,
  )
  return isTrusted ? seen : seen.map((one) => ({ ...one, deltas: Math.min(1, one.deltas) }))
}

function promptTokensOf(seen: readonly Observation[]): number | undefined {
  return seen.find(({ usage }) => usage !== undefined)?.usage?.prompt
}

function findLost(
  seen: readonly Observation[],
  prompt: Prompt,
  source: Source | undefined,
  totals: Map<string, number> | undefined,
): Findings['lostUsage'] {
  if (source === undefined || totals === undefined) return { unknown: noRecords(source) }
  const delivered = seen.filter((one) => isAdmitted(one) && leastTokens(one, prompt) > 0)
  const replies = delivered.flatMap((one): Lost[] => {
    const least = leastTokens(one, prompt)
    const ids = source.idsOf(one).filter((id) => id !== undefined)
    const recorded = ids.map((id) => totals.get(id)).find((total) => total !== undefined)
    if (recorded !== undefined && recorded >= least) return []
    return [{ id: ids[0] ?? 'no id', phase: one.phase, delivered: least, recorded }]
  })
  const tokens = replies.reduce((sum, one) => sum + one.delivered - (one.recorded ?? 0), 0)
  return { replies, tokens, of: delivered.length }
}

function noRecords(source: Source | undefined): string {
  return source === undefined
    ? 'the gateway has no records that this check can read'
    : 'the records could not be read'
}

function countExecutions(seen: readonly Observation[]): Findings['idempotency'] {
  const retries = seen.filter(({ phase }) => phase === 'retries')
  const executed = new Set(
    retries.filter(isAdmitted).map(({ replyId, requestId }) => replyId ?? requestId),
  )
  if (executed.size === 0) return { unknown: 'no retry got a reply' }
  return { sent: retries.length, executed: executed.size }
}

function countBy<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of items) counts[nameOf(item)] = (counts[nameOf(item)] ?? 0) + 1
  return counts
}
