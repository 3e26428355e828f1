import { Type, type Static } from 'typebox'
import { rotationGraceMsMax, timeMsMax } from '../limits.ts'
import { LimitStates } from './key.ts'
import { orNull } from './nullable.ts'
import { keyStates } from './panel/values.ts'
import { LimitChanges, Limits } from './panel-limits.ts'

const closed = { additionalProperties: false }

export const PanelKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  hint: orNull(
    Type.String({
      description: 'The start and the last four characters of the key; null for an older key.',
    }),
  ),
  state: Type.Unsafe<(typeof keyStates)[number]>({ type: 'string', enum: [...keyStates] }),
  scopes: Type.Array(Type.String()),
  limits: Limits,
  use: LimitStates,
  created_ms: Type.Integer(),
  expires_ms: orNull(Type.Integer()),
  previous_expires_ms: orNull(
    Type.Integer({
      description: 'When the grace period of the key before the last rotation ends.',
    }),
  ),
  last_used_ms: orNull(Type.Integer()),
})
export type PanelKey = Static<typeof PanelKey>

export const PanelKeyList = Type.Object({
  data: Type.Array(PanelKey),
  total: Type.Integer({ description: 'The number of matching keys on all pages.' }),
})
export type PanelKeyList = Static<typeof PanelKeyList>

// accounts/ checks the values of these bodies, because it knows the scopes and the rules for names.
const name = Type.String()
const scopes = Type.Array(Type.String(), { maxItems: 16 })
const expires = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 0,
  maximum: timeMsMax,
})

export const NewPanelKey = Type.Object(
  {
    name,
    scopes: Type.Optional(scopes),
    expires_ms: Type.Optional(expires),
    limits: Type.Optional(LimitChanges),
  },
  closed,
)
export type NewPanelKey = Static<typeof NewPanelKey>

/** Changes of a key; absent members stay unchanged. */
export const PanelKeyChanges = Type.Partial(NewPanelKey, closed)
export type PanelKeyChanges = Static<typeof PanelKeyChanges>

export const PanelKeyRotation = Type.Object(
  { grace_ms: Type.Integer({ minimum: 0, maximum: rotationGraceMsMax }) },
  closed,
)
export type PanelKeyRotation = Static<typeof PanelKeyRotation>

export const NoFields = Type.Object({}, closed)

/** A created or rotated key. No other response holds the text of a key. */
export const IssuedPanelKey = Type.Object({ key: Type.String(), record: PanelKey })
export type IssuedPanelKey = Static<typeof IssuedPanelKey>
