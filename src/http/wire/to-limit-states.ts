import { byWireName } from '../../key-limits.ts'
import type { LimitState, LimitStates } from '../../protocol/key.ts'
import type {
  LimitState as StoredState,
  LimitStates as StoredStates,
} from '../../usage/limits/limit-state.ts'

export function toLimitStates(states: StoredStates): LimitStates {
  return byWireName(({ name }) => toLimitState(states[name]))
}

function toLimitState(state: StoredState | undefined): LimitState | null {
  if (state === undefined) return null
  return { limit: state.limit, remaining: state.remaining, reset_ms: state.resetMs }
}
