import { Type, type Static } from 'typebox'
import { limitMax } from '../limits.ts'

const limit = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 1,
  maximum: limitMax,
  description: 'Null: no limit.',
})

/** Of a key or of an account. */
export const Limits = Type.Object(
  {
    requests_per_minute: limit,
    tokens_per_minute: limit,
    parallel_requests: limit,
    tokens_per_day: limit,
    tokens_per_month: limit,
  },
  { additionalProperties: false },
)
export type Limits = Static<typeof Limits>

/** What is absent stays as it is. */
export const LimitChanges = Type.Partial(Limits, { additionalProperties: false })
export type LimitChanges = Static<typeof LimitChanges>
