import { Type, type Static } from 'typebox'
import { orNull } from './or-null.ts'
import { Receipt } from './receipt.ts'

export const usageSteps = ['hour', 'day'] as const
export type UsageStep = (typeof usageSteps)[number]

const sums = {
  requests: Type.Integer(),
  errors: Type.Integer({ description: 'Of the requests: those that were refused or failed.' }),
  prompt_tokens: Type.Integer(),
  cached_tokens: Type.Integer({ description: 'Of the prompt tokens.' }),
  completion_tokens: Type.Integer(),
  p50_ms: orNull(
    Type.Integer({
      description: 'From arrival to the last token, of completed requests; null: there is none.',
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
    description: 'Those with the most requests, most first.',
  }),
  keys_left_out: Type.Integer({ description: 'Keys that were used, too, beyond those listed.' }),
})
export type PanelUsage = Static<typeof PanelUsage>

export const PanelReceiptList = Type.Object({
  data: Type.Array(Receipt),
  has_more: Type.Boolean(),
  last_id: orNull(Type.String({ description: '`after` of the next page.' })),
})
export type PanelReceiptList = Static<typeof PanelReceiptList>
