import { byWireName, keyLimits, type LimitWireName } from '../../src/key-limits.ts'
import type { LimitChanges, Limits } from '../../src/protocol/panel-limits.ts'

/** The text of each field; empty means no limit. */
export type LimitTexts = Record<LimitWireName, string>
export type LimitFaults = Partial<Record<LimitWireName, string>>

export const noLimits: Limits = byWireName(() => null)

export function toLimitTexts(limits: Limits): LimitTexts {
  return byWireName(({ wireName }) => {
    const limit = limits[wireName]
    return limit === null ? '' : String(limit)
  })
}

/** Parses the limits, or returns a message for each text that is not a whole number. The service checks the maximum. */
export function parseLimitTexts(texts: LimitTexts): { limits: Limits } | { faults: LimitFaults } {
  const faults: LimitFaults = {}
  const limits = byWireName(({ wireName }) => {
    const limit = parse(texts[wireName])
    if (limit === undefined) faults[wireName] = 'Enter a whole number of 1 or more, or leave blank.'
    return limit ?? null
  })
  return Object.keys(faults).length > 0 ? { faults } : { limits }
}

/** Returns the limits of `after` that differ from `before`; undefined if none does. */
export function changedLimits(before: Limits, after: Limits): LimitChanges | undefined {
  const changed = keyLimits.filter(({ wireName }) => after[wireName] !== before[wireName])
  if (changed.length === 0) return undefined
  return Object.fromEntries(changed.map(({ wireName }) => [wireName, after[wireName]]))
}

/** Returns null for no limit, or undefined if the text is no whole number from 1. Accepts thousands separators. */
function parse(text: string): number | null | undefined {
  const digits = text.replace(/[\s,_’']/g, '')
  if (digits === '') return null
  if (!/^\d{1,15}$/.test(digits) || Number(digits) < 1) return undefined
  return Number(digits)
}
