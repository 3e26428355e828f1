import { Type } from 'typebox'
import { timeMsMax } from '../../../limits.ts'

const charsMax = 512

/** A text in the query of a URL. */
export const text = Type.Optional(Type.String({ maxLength: charsMax }))

/** A time in the query of a URL, in milliseconds since 1970. */
export const timeMs = Type.Integer({
  minimum: 0,
  maximum: timeMsMax,
  description: 'In milliseconds since 1970.',
})

/** The number of rows of one page. */
export const rowLimit = (maximum: number, otherwise: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, default: otherwise }))

/** A text that must be one of the given words. */
export const choice = <const Choice extends string>(choices: readonly Choice[]) =>
  Type.Optional(Type.Unsafe<Choice>({ type: 'string', enum: [...choices] }))

/** Refuses every query parameter that the schema does not have, by name. */
export const closed = { additionalProperties: false } as const

/** Path parameters of an operation on one resource. */
export const idParams = Type.Object({ id: Type.String() })
