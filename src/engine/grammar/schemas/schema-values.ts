import { schemaDepthMax } from '../../../limits.ts'
import { type Budget, SchemaRefused } from '../grammar.ts'
import { isEmptyRange, isMultiple, type NumberRange } from '../number-range.ts'
import { accepts } from '../patterns/dfa.ts'
import { type Facts, type Located, type Type, types } from './facts.ts'
import { canonical, isObject } from './keyword-values.ts'
import { stricter } from './keywords.ts'
import type { SchemaReader } from './schema-reader.ts'

/** Schema objects that a value must all satisfy, after every choice of `anyOf` and `oneOf` is made. */
export type Alternative = readonly Facts[]

/**
 * Checks values against schemas. Returns true if every JSON Schema validator accepts the value or, with `leniently`, if
 * any validator may accept it. Only formats make a difference: some validators ignore them, and we enforce a subset of
 * each.
 */
export class ValueCheck {
  readonly #reader: SchemaReader
  readonly #budget: Budget

  constructor(reader: SchemaReader) {
    this.#reader = reader
    this.#budget = reader.budget
  }

  holds(alternative: Alternative, value: unknown, leniently: boolean): boolean {
    return alternative.every((facts) => this.#holdsPlainly(facts, value, leniently, 0))
  }

  admits(schema: Located, value: unknown, leniently: boolean, depth = 0): boolean {
    const facts = this.#reader.read(schema)
    if (facts === undefined) return true
    if (facts === null) return false
    this.#budget.spend(5)
    if (depth > schemaDepthMax)
      throw new SchemaRefused(schema.path, `The schema nests deeper than ${schemaDepthMax} levels.`)
    if (!this.#holdsPlainly(facts, value, leniently, depth)) return false
    return this.#holdsInParts(facts, value, leniently, depth)
  }

  /** Checks the keywords that apply other schemas to the same value. */
  #holdsInParts(facts: Facts, value: unknown, leniently: boolean, depth: number): boolean {
    const admits = (branch: Located, lenient = leniently): boolean =>
      this.admits(branch, value, lenient, depth + 1)
    if (![...facts.references, ...facts.allOf].every((part) => admits(part))) return false
    if (facts.anyOf !== undefined && !facts.anyOf.some((branch) => admits(branch))) return false
    if (facts.not !== undefined && admits(facts.not, !leniently)) return false
    if (facts.isClosed || facts.isClosedList) {
      if (!leniently && typeof value === 'object' && value !== null) return false
    }
    for (const { name, required, schema } of facts.dependents) {
      if (!isObject(value) || !Object.hasOwn(value, name)) continue
      if (!required.every((other) => Object.hasOwn(value, other))) return false
      if (schema !== undefined && !admits(schema)) return false
    }
    if (!this.#holdsCondition(facts, leniently, admits)) return false
    if (facts.oneOf === undefined) return true
    const count = facts.oneOf.filter((branch) => admits(branch, true)).length
    return leniently ? count > 0 : count === 1 && facts.oneOf.some((branch) => admits(branch))
  }

  #holdsCondition(
    { condition }: Facts,
    leniently: boolean,
    admits: (schema: Located, lenient?: boolean) => boolean,
  ): boolean {
    if (condition === undefined) return true
    const { test, passed, failed } = condition
    const mayHold = admits(test, true)
    const mayFail = !admits(test, false)
    const yes = passed === undefined || admits(passed)
    const no = failed === undefined || admits(failed)
    if (leniently) return (mayHold && yes) || (mayFail && no)
    return (!mayHold || yes) && (!mayFail || no)
  }

  #holdsPlainly(facts: Facts, value: unknown, leniently: boolean, depth: number): boolean {
    this.#budget.spend(2)
    if (!typesOf([facts]).some((type) => isOfType(value, type))) return false
    if (facts.values !== undefined || facts.excluded.length > 0) {
      const text = canonical(value)
      this.#budget.spend(text.length / 10)
      if (facts.values !== undefined && !facts.texts.has(text)) return false
      this.#budget.spend(facts.excluded.length)
      if (facts.excluded.some((other) => canonical(other) === text)) return false
    }
    if (typeof value === 'number') return this.#holdsNumber(facts, value, leniently)
    if (typeof value === 'string') return this.#holdsString(facts, value, leniently)
    if (Array.isArray(value)) return this.#holdsArray(facts, value, leniently, depth)
    return !isObject(value) || this.#holdsObject(facts, value, leniently, depth)
  }

  #holdsNumber(facts: Facts, value: number, leniently: boolean): boolean {
    const bounds = { least: { value, isOpen: false }, most: { value, isOpen: false } }
    if (isEmptyRange(rangeOf([facts, bounds]))) return false
    if (!facts.multiples.every((divisor) => isMultiple(value, divisor))) return false
    const { numberFormat } = facts
    if (leniently || numberFormat === undefined) return true
    if (numberFormat.isInteger && !Number.isInteger(value)) return false
    return !isEmptyRange(rangeOf([numberFormat, bounds]))
  }

  #holdsString(facts: Facts, value: string, leniently: boolean): boolean {
    this.#budget.spend(value.length)
    const length = Array.from(value).length
    if (length < facts.minLength || length > facts.maxLength) return false
    if (facts.pattern !== undefined && !accepts(facts.pattern, value, this.#budget)) return false
    return leniently || facts.format === undefined || accepts(facts.format, value, this.#budget)
  }

  #holdsArray(facts: Facts, value: unknown[], leniently: boolean, depth: number): boolean {
    this.#budget.spend(value.length / 4)
    if (value.length < facts.minItems || value.length > facts.maxItems) return false
    const admits = (schema: Located, item: unknown): boolean =>
      this.admits(schema, item, leniently, depth + 1)
    if (facts.isUnique) {
      const texts = value.map(canonical)
      for (const text of texts) this.#budget.spend(1 + text.length / 10)
      if (new Set(texts).size < texts.length) return false
    }
    if (!value.every((item, at) => itemOf([facts], at).every((one) => admits(one, item))))
      return false
    const { contains } = facts
    if (contains === undefined) return true
    const sure = value.filter((item) => this.admits(contains, item, false, depth + 1)).length
    const most = value.filter((item) => this.admits(contains, item, true, depth + 1)).length
    return leniently
      ? most >= facts.minContains && sure <= facts.maxContains
      : sure >= facts.minContains && most <= facts.maxContains
  }

  #holdsObject(
    facts: Facts,
    value: Readonly<Record<string, unknown>>,
    leniently: boolean,
    depth: number,
  ): boolean {
    spendOnNames([facts], this.#budget)
    if (!facts.required.every((name) => Object.hasOwn(value, name))) return false
    if (facts.forbidden.some((name) => Object.hasOwn(value, name))) return false
    const members = Object.entries(value)
    this.#budget.spend(members.length / 4)
    if (members.length < facts.minProperties || members.length > facts.maxProperties) return false
    const { propertyNames } = facts
    return members.every(([name, member]) => {
      const schemas = memberOf([facts], name, this.#budget)
      if (!schemas.every((schema) => this.admits(schema, member, leniently, depth + 1)))
        return false
      return propertyNames === undefined || this.admits(propertyNames, name, leniently, depth + 1)
    })
  }
}

/** Spends the budget for reading all required and forbidden names. */
export function spendOnNames(all: Alternative, budget: Budget): void {
  budget.spend(all.reduce((sum, f) => sum + f.required.length + f.forbidden.length, 0) / 4)
}

/** Returns the allowed types; `integer` only if `number` is not allowed. */
export function typesOf(alternative: Alternative): readonly Type[] {
  const allowed = types.filter((type) =>
    alternative.every(
      (facts) =>
        facts.types === undefined ||
        facts.types.has(type) ||
        (type === 'integer' && facts.types.has('number')),
    ),
  )
  return allowed.includes('number') ? allowed.filter((type) => type !== 'integer') : allowed
}

export function rangeOf(all: readonly NumberRange[]): NumberRange {
  let range: NumberRange = {}
  for (const { least, most } of all) {
    if (least !== undefined) range = { ...range, least: stricter(range.least, least, 1) }
    if (most !== undefined) range = { ...range, most: stricter(range.most, most, -1) }
  }
  return range
}

export function lengthsOf(all: Alternative): { min: number; max: number } {
  return {
    min: Math.max(0, ...all.map(({ minLength }) => minLength)),
    max: Math.min(Infinity, ...all.map(({ maxLength }) => maxLength)),
  }
}

export function countsOf(all: Alternative): { min: number; max: number } {
  return {
    min: Math.max(0, ...all.map(({ minItems }) => minItems)),
    max: Math.min(Infinity, ...all.map(({ maxItems }) => maxItems)),
  }
}

/**
 * Returns the schemas of a property: those that list its name or match it by a pattern, else `additionalProperties`.
 */
export function memberOf(all: Alternative, name: string, budget: Budget): readonly Located[] {
  return all.flatMap(({ properties, patternProperties, additional }) => {
    const own = properties.get(name)
    const matching = patternProperties.filter(({ dfa }) => accepts(dfa, name, budget))
    if (own === undefined && matching.length === 0) return additional ?? []
    return [...(own === undefined ? [] : [own]), ...matching.map(({ schema }) => schema)]
  })
}

export function itemOf(all: Alternative, index: number): readonly Located[] {
  return all.flatMap(({ prefix, items }) => prefix[index] ?? items ?? [])
}

function isOfType(value: unknown, type: Type): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'boolean':
    case 'number':
    case 'string':
      return typeof value === type
  }
}
