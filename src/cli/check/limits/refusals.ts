import type { StatedLimit } from './plan.ts'
import { minuteMs } from '../../../time/durations.ts'
import {
  mayHaveRun,
  mostTokens,
  type Observation,
  type Prompt,
  reservedTokens,
} from './observation.ts'
import type { Before } from './use-before.ts'

/** Time in which a gateway must notice that we hung up. */
const cutGraceMs = 10_000

/**
 * Returns the refusals (429) of requests for which every stated limit had room. Any doubt is resolved in the gateway's
 * favour: for a running request, the prompt and `max_tokens` may be reserved; a cut request may have used them; and a
 * minute may mean the last 60 seconds.
 * @param before amounts used in this day or month before the attack
 */
export function wrongRefusals(
  stated: readonly StatedLimit[],
  seen: readonly Observation[],
  prompt: Prompt,
  before: Before,
): Observation[] {
  const ran = seen.filter(mayHaveRun)
  return seen.filter(
    (refusal) =>
      refusal.ending === 'refused' &&
      refusal.status === 429 &&
      stated.every((limit) =>
        hadRoom(limit, refusal, { ran, prompt, before: before.get(limit.kind.name)?.most ?? 0 }),
      ),
  )
}

type Past = { ran: readonly Observation[]; prompt: Prompt; before: number }

/** True if the limit had room for a request that was refused. */
export function hadRoom(
  { kind, limit }: StatedLimit,
  refusal: Observation,
  { ran, prompt, before }: Past,
): boolean {
  const isTokens = kind.counts === 'tokens'
  const amountOf = (one: Observation) => {
    if (!isTokens) return 1
    return one.endMs < refusal.sentMs ? mostTokens(one, prompt) : reservedTokens(one, prompt)
  }
  const own = isTokens ? reservedTokens(refusal, prompt) : 1
  const counted = ran.filter(
    (one) => one.sentMs <= refusal.endMs && isCounted(kind.window, one, refusal),
  )
  return before + own + counted.reduce((sum, one) => sum + amountOf(one), 0) <= limit
}

function isCounted(
  window: StatedLimit['kind']['window'],
  one: Observation,
  refusal: Observation,
): boolean {
  const freeMs = one.ending === 'whole' ? one.endMs : one.endMs + cutGraceMs
  switch (window) {
    case 'parallel':
      return freeMs >= refusal.sentMs
    case 'minute':
      return freeMs >= refusal.sentMs - minuteMs
    case 'day':
    case 'month':
      return true
  }
}
