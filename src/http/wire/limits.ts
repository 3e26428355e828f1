import { byWireName, keyLimits, type LimitChanges, type Limits } from '../../key-limits.ts'
import type {
  LimitChanges as WireLimitChanges,
  Limits as WireLimits,
} from '../../protocol/panel-limits.ts'

export function limitsToWire(limits: Limits): WireLimits {
  return byWireName(({ name }) => limits[name] ?? null)
}

/** Leaves out absent limits, which means that they stay unchanged. */
export function limitsFromWire(wire: WireLimitChanges): LimitChanges {
  const given = keyLimits.filter(({ wireName }) => wire[wireName] !== undefined)
  return Object.fromEntries(given.map(({ name, wireName }) => [name, wire[wireName]]))
}
