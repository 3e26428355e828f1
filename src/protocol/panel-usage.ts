import { Type, type Static } from 'typebox'
import { orNull } from './or-null.ts'
import { Receipt } from './receipt.ts'

export const usageSteps = ['hour', 'day'] as const
export type UsageStep = (typeof usageSteps)[number]

const sums = {
  requests: Type.Integer(),
  errors: Type.Integer({ description: 'Requests that were refused or that failed.' }),
  prompt_tokens: Type.Integer(),
  cached_tokens: Type.Integer({ description: 'Prompt tokens found in the KV cache.' }),
  completion_tokens: Type.Integer(),
  p50_ms: orNull(
    Type.Integer({
      description: 'Time from arrival to the last token of completed requests; null without one.',
    }),
  ),
  p95_ms: orNull(Type.Integer()),
}

export const UsageSums = Type.Object(sums)
export type UsageSums = Static<typeof UsageSums>

export const PanelUsage = Type.Object({
  from_ms: Type.Integer(),
  to_ms: Type.Integer(),
  step: Type.Unsafe<UsageStep>({ type: 'string', enum: [...usageSteps] }),
  points: Type.Array(Type.Object({ begin_ms: Type.Integer(), ...sums })),
  totals: UsageSums,
  keys: Type.Array(Type.Object({ key_id: Type.String(), name: Type.String(), ...sums }), {
    description: 'The keys with the most requests, most first.',
  }),
  keys_left_out: Type.Integer({ description: 'The number of other keys that were used.' }),
})
export type PanelUsage = Static<typeof PanelUsage>

export const PanelReceiptList = Type.Object({
  data: Type.Array(Receipt),
  has_more: Type.Boolean(),
  last_id: orNull(Type.String({ description: 'The value of `after` for the next page.' })),
})
export type PanelReceiptList = Static<typeof PanelReceiptList>
