import type { ApiKeyRecord } from '../../../accounts/api-key-store.ts'
import type { PanelKey } from '../../../protocol/panel-keys.ts'
import type { LimitStates } from '../../../usage/limits/limit-state.ts'
import { limitsToWire } from '../limits.ts'
import { toLimitStates } from '../to-limit-states.ts'

export function toPanelKey(record: ApiKeyRecord, states: LimitStates): PanelKey {
  return {
    id: record.id,
    name: record.name,
    hint: record.hint ?? null,
    state: record.state,
    scopes: [...record.scopes],
    limits: limitsToWire(record.limits),
    use: toLimitStates(states),
    created_ms: record.createdMs,
    expires_ms: record.expiresMs ?? null,
    previous_expires_ms: record.previousExpiresMs ?? null,
    last_used_ms: record.lastUsedMs ?? null,
  }
}
