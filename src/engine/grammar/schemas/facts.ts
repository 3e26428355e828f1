import type { Dfa } from '../patterns/dfa.ts'
import type { Bound } from '../number-range.ts'
import type { NumberFormat } from '../patterns/formats.ts'

export const types = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const
export type Type = (typeof types)[number]

/** A schema and its path in the request's schema, for error messages. */
export type Located = { readonly schema: unknown; readonly path: string }

/** Keywords of one schema object. The schemas that it refers to are not included. */
export type Facts = {
  readonly id: number
  readonly path: string
  types?: ReadonlySet<Type>
  values?: readonly unknown[]
  /** The values as canonical JSON. */
  texts: ReadonlySet<string>
  /** Values that a `not` keyword excludes. */
  excluded: readonly unknown[]
  least?: Bound
  most?: Bound
  multiples: readonly number[]
  minLength: number
  maxLength: number
  /** The automaton of `pattern`. */
  pattern?: Dfa
  /**
   * The automaton of `format`. It accepts less than the standard, so a text that it rejects may still have the format.
   */
  format?: Dfa
  /** A numeric `format`. Some validators ignore it, so a number outside it may still be valid. */
  numberFormat?: NumberFormat
  /** True if the schema has the keyword `properties`, even if it lists none. */
  declares: boolean
  properties: ReadonlyMap<string, Located>
  patternProperties: readonly PatternProperty[]
  required: readonly string[]
  /** Names of properties that a `not` keyword excludes. */
  forbidden: readonly string[]
  additional?: Located
  propertyNames?: Located
  minProperties: number
  maxProperties: number
  /** Requirements that apply to an object only if it has a certain property. */
  dependents: readonly Dependent[]
  prefix: readonly Located[]
  items?: Located
  minItems: number
  maxItems: number
  isUnique: boolean
  contains?: Located
  minContains: number
  maxContains: number
  references: readonly Located[]
  allOf: readonly Located[]
  anyOf?: readonly Located[]
  oneOf?: readonly Located[]
  not?: Located
  condition?: Condition
  /** True for derived facts, such as parts of a negation, which no schema object states. */
  isDerived: boolean
  /** True for `unevaluatedProperties: false`. */
  isClosed: boolean
  /** True for `unevaluatedItems: false`. */
  isClosedList: boolean
}

type PatternProperty = { readonly dfa: Dfa; readonly schema: Located }
export type Dependent = {
  readonly name: string
  readonly required: readonly string[]
  readonly schema?: Located
}
type Condition = {
  readonly test: Located
  /** `then` and `else`. */
  readonly passed: Located | undefined
  readonly failed: Located | undefined
}

/** Returns facts that constrain nothing. */
export function freeFacts(id: number, path: string): Facts {
  return {
    id,
    path,
    texts: new Set(),
    excluded: [],
    multiples: [],
    minLength: 0,
    maxLength: Infinity,
    declares: false,
    properties: new Map(),
    patternProperties: [],
    required: [],
    forbidden: [],
    minProperties: 0,
    maxProperties: Infinity,
    dependents: [],
    prefix: [],
    minItems: 0,
    maxItems: Infinity,
    isUnique: false,
    minContains: 1,
    maxContains: Infinity,
    references: [],
    allOf: [],
    isDerived: false,
    isClosed: false,
    isClosedList: false,
  }
}
