import { byWireName, keyLimits, type LimitChanges, type Limits } from '../../key-limits.ts'
import type { LimitState, LimitStates } from '../../protocol/key.ts'
import type {
  LimitChanges as WireLimitChanges,
  Limits as WireLimits,
} from '../../protocol/panel-limits.ts'
import type {
  LimitState as StoredState,
  LimitStates as StoredStates,
} from '../../usage/limits/limit-state.ts'
import type { Limited, RateLimits } from '../../usage/limits/rate-limits.ts'

export function limitsToWire(limits: Limits): WireLimits {
  return byWireName(({ name }) => limits[name] ?? null)
}

/** An absent limit stays absent, which means unchanged. */
export function limitsFromWire(wire: WireLimitChanges): LimitChanges {
  const given = keyLimits.filter(({ wireName }) => wire[wireName] !== undefined)
  return Object.fromEntries(given.map(({ name, wireName }) => [name, wire[wireName]]))
}

export function limitStatesToWire(states: StoredStates): LimitStates {
  return byWireName(({ name }) => stateToWire(states[name]))
}

/** The state of all limits that apply to a caller. */
export function callerLimitsToWire(
  rateLimits: RateLimits,
  caller: Limited,
): { limits: LimitStates; account_limits: LimitStates } {
  const { key, account } = rateLimits.state(caller)
  return { limits: limitStatesToWire(key), account_limits: limitStatesToWire(account) }
}

function stateToWire(state: StoredState | undefined): LimitState | null {
  if (state === undefined) return null
  return { limit: state.limit, remaining: state.remaining, reset_ms: state.resetMs }
}
