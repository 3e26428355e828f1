import type { LimitChanges } from '../../../key-limits.ts'
import type { PanelKeyChanges } from '../../../protocol/panel-keys.ts'
import { limitsFromWire } from '../limits.ts'

type KeyChanges = Omit<PanelKeyChanges, 'expires_ms' | 'limits'> & {
  expiresMs?: number | null
  limits?: LimitChanges
}

/** Absent members stay absent: they leave the key as it is. */
export function fromKeyChanges({
  expires_ms: expiresMs,
  limits,
  ...same
}: PanelKeyChanges): KeyChanges {
  return {
    ...same,
    ...(expiresMs === undefined ? {} : { expiresMs }),
    ...(limits === undefined ? {} : { limits: limitsFromWire(limits) }),
  }
}
