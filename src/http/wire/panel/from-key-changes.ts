import type { LimitChanges } from '../../../key-limits.ts'
import type { PanelKeyChanges } from '../../../protocol/panel-keys.ts'
import { limitsFromWire } from '../limits.ts'

type KeyChanges = Omit<PanelKeyChanges, 'expires_ms' | 'limits'> & {
  expiresMs?: number | null
  limits?: LimitChanges
}

/** Leaves out absent members, which means that they stay unchanged. */
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
