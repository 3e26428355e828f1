import type { Caller } from '../../accounts/caller.ts'
import type { Key } from '../../protocol/key.ts'
import type { LimitStates } from '../../usage/limits/limit-state.ts'
import { toLimitStates } from './to-limit-states.ts'
import { unixSeconds } from '../../usage/utc-periods.ts'

/** The state of the limits of a key and of its account. */
export type BothLimitStates = { key: LimitStates; account: LimitStates }

export function toKey(caller: Caller, states: BothLimitStates): Key {
  return {
    id: caller.keyId,
    object: 'key',
    name: caller.name,
    created: unixSeconds(caller.createdMs),
    expires: caller.expiresMs === undefined ? null : unixSeconds(caller.expiresMs),
    scopes: [...caller.scopes],
    limits: toLimitStates(states.key),
    account_limits: toLimitStates(states.account),
  }
}
