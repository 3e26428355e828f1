import type { Limits } from '../../src/protocol/panel-limits.ts'

export type LimitName = keyof Limits
/** As they are typed; empty: no limit. */
export type LimitTexts = Record<LimitName, string>
export type LimitFaults = Partial<Record<LimitName, string>>

export const limitNames = [
  'requests_per_minute',
  'tokens_per_minute',
  'parallel_requests',
  'tokens_per_day',
  'tokens_per_month',
] as const satisfies readonly LimitName[]

export function toLimitTexts(limits: Limits): LimitTexts {
  const text = (name: LimitName) => (limits[name] === null ? '' : String(limits[name]))
  return withEach(text)
}

/** The service decides how high a limit may be; here only what is no number is told. */
export function parseLimitTexts(texts: LimitTexts): { limits: Limits } | { faults: LimitFaults } {
  const faults: LimitFaults = {}
  for (const name of limitNames)
    if (parse(texts[name]) === undefined) faults[name] = 'A whole number from 1, or nothing.'
  if (Object.keys(faults).length > 0) return { faults }
  return { limits: withEach((name) => parse(texts[name]) ?? null) }
}

/** Null: no limit; undefined: no number. Thousands may be set apart. */
function parse(text: string): number | null | undefined {
  const digits = text.replace(/[\s,_’']/g, '')
  if (digits === '') return null
  if (!/^\d{1,15}$/.test(digits) || Number(digits) < 1) return undefined
  return Number(digits)
}

function withEach<Value>(read: (name: LimitName) => Value): Record<LimitName, Value> {
  return {
    requests_per_minute: read('requests_per_minute'),
    tokens_per_minute: read('tokens_per_minute'),
    parallel_requests: read('parallel_requests'),
    tokens_per_day: read('tokens_per_day'),
    tokens_per_month: read('tokens_per_month'),
  }
}
