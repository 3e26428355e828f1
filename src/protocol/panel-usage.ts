import { Type, type Static } from 'typebox'
import { orNull } from './nullable.ts'
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
  cost: orNull(
    Type.String({
      description:
        'Exact decimal amount in `currency`; null if there was no price. Tokens before the first price cost nothing.',
    }),
  ),
}

const ofKey = Type.Object(sums)
/** The sums that every row of usage has, including the row of one key. */
export type UsageSums = Static<typeof ofKey>

const detailed = {
  ...sums,
  rejected: Type.Integer({
    description: 'The errors that were refused before a token was generated; the others failed.',
  }),
  first_token_p50_ms: orNull(
    Type.Integer({
      description:
        'Time from arrival to the first token; null without one, or when the receipts were deleted.',
    }),
  ),
  first_token_p95_ms: orNull(Type.Integer()),
  queue_p50_ms: orNull(
    Type.Integer({ description: 'Time from arrival to the start of the generation.' }),
  ),
  queue_p95_ms: orNull(Type.Integer()),
}
const Detailed = Type.Object(detailed)
/** The sums of a period. */
export type DetailedSums = Static<typeof Detailed>

export const PanelUsage = Type.Object({
  from_ms: Type.Integer(),
  to_ms: Type.Integer(),
  step: Type.Unsafe<UsageStep>({ type: 'string', enum: [...usageSteps] }),
  currency: orNull(Type.String({ description: 'ISO 4217 code; null without prices.' })),
  points: Type.Array(Type.Object({ begin_ms: Type.Integer(), ...detailed })),
  totals: Detailed,
  errors_by_code: Type.Array(
    Type.Object({
      code: Type.String(),
      requests: Type.Integer(),
      receipts: Type.Integer({
        description:
          'Those that have a receipt: beyond some per minute, refusals are only counted.',
      }),
    }),
    { description: 'The requests that were refused or that failed, by error code, most first.' },
  ),
  keys: Type.Array(Type.Object({ key_id: Type.String(), name: Type.String(), ...sums }), {
    description: 'The keys with the most prompt and completion tokens, most first.',
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

/** The newest matching receipts, without their parameters. */
export const ExportedReceipts = Type.Object({
  data: Type.Array(
    Type.Unsafe<Readonly<Record<string, string | number | boolean | null>>>({ type: 'object' }),
  ),
  has_more: Type.Boolean({ description: 'True if more receipts match than an export holds.' }),
})
export type ExportedReceipts = Static<typeof ExportedReceipts>
