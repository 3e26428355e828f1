import { Type, type Static } from 'typebox'
import { byWireName, limitMax, limitMin } from '../key-limits.ts'

/** Limits of a key or of an account. */
export const Limits = Type.Object(
  byWireName(({ description }) =>
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: limitMin,
      maximum: limitMax,
      description: `Limit on ${description}. \`null\`: no limit.`,
    }),
  ),
  { additionalProperties: false },
)
export type Limits = Static<typeof Limits>

/** Changes of limits; absent limits stay unchanged. */
export const LimitChanges = Type.Partial(Limits, { additionalProperties: false })
export type LimitChanges = Static<typeof LimitChanges>
