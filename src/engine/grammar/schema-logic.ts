import { schemaAlternativesMax, schemaDepthMax } from '../../limits.ts'
import { accepts, type Dfa, intersect, isEmpty, PatternRefused } from './dfa.ts'
import { SchemaRefused } from './grammar.ts'
import { isEmptyRange, type NumberRange } from './number-range.ts'
import {
  canonical,
  type Facts,
  isObject,
  join,
  type Located,
  refused,
  type SchemaReader,
  stricter,
  type Type,
  types,
} from './schema-reader.ts'

/** Schema objects that must all be valid together, with all choices of `anyOf` and `oneOf` made. */
export type Alternative = readonly Facts[]

/** Expands schemas into alternatives, and compares alternatives with each other and with values. */
export class SchemaLogic {
  readonly #reader: SchemaReader

  constructor(reader: SchemaReader) {
    this.#reader = reader
  }

  /** Returns alternatives that are together equivalent to the schemas: a value is valid if one of them admits it. */
  alternatives(schemas: readonly Located[]): readonly Alternative[] {
    let all: readonly Alternative[] = [[]]
    for (const schema of schemas) all = this.#product(all, this.#expand(schema, []), schema.path)
    return all
  }

  #expand(schema: Located, within: readonly Facts[]): readonly Alternative[] {
    const facts = this.#reader.read(schema)
    if (facts === undefined) return [[]]
    if (facts === null) return []
    if (within.includes(facts))
      throw new SchemaRefused(schema.path, 'The schema refers to itself without end.')
    if (within.length >= schemaDepthMax)
      throw new SchemaRefused(schema.path, `The schema nests deeper than ${schemaDepthMax} levels.`)
    const inner = [...within, facts]
    const { path } = facts
    let all: readonly Alternative[] = [[facts]]
    const parts = [...(facts.reference === undefined ? [] : [facts.reference]), ...facts.allOf]
    for (const part of parts) all = this.#product(all, this.#expand(part, inner), path)
    if (facts.anyOf !== undefined) {
      const branches = facts.anyOf.flatMap((branch) => this.#expand(branch, inner))
      all = this.#product(all, branches, path)
    }
    if (facts.oneOf === undefined) return all
    const branches = facts.oneOf.map((branch) =>
      this.#product(all, this.#expand(branch, inner), path),
    )
    this.#requireDisjoint(branches, path)
    return this.#limited(branches.flat(), path)
  }

  #product(
    left: readonly Alternative[],
    right: readonly Alternative[],
    path: string,
  ): readonly Alternative[] {
    this.#reader.budget.spend(left.length * right.length)
    return this.#limited(
      left.flatMap((one) => right.map((other) => [...new Set([...one, ...other])])),
      path,
    )
  }

  #limited(all: readonly Alternative[], path: string): readonly Alternative[] {
    if (all.length > schemaAlternativesMax)
      throw new SchemaRefused(
        path,
        `The schema has more than ${schemaAlternativesMax} alternatives in one place.`,
      )
    return all
  }

  /** Enforces `oneOf` only where no value can be valid against two branches. */
  #requireDisjoint(branches: readonly (readonly Alternative[])[], path: string): void {
    for (const [index, branch] of branches.entries()) {
      const others = branches.slice(index + 1).flat()
      for (const one of branch) {
        for (const other of others) {
          if (this.#areDisjoint(one, other, 0)) continue
          throw refused(
            join(path, 'oneOf'),
            'is supported only where no value can be of two branches: use anyOf, or give each branch a required property with a const of its own',
          )
        }
      }
    }
  }

  #areDisjoint(one: Alternative, other: Alternative, depth: number): boolean {
    this.#reader.budget.spend(20)
    if (depth > disjointDepthMax) return false
    for (const [some, rest] of [
      [one, other],
      [other, one],
    ] as const) {
      const values = some.find((facts) => facts.values !== undefined)?.values
      if (values?.every((value) => !this.#holds([...some, ...rest], value, true))) return true
    }
    const common = typesOf([...one, ...other])
    return common.every((type) => this.#differ(type, one, other, depth))
  }

  #differ(type: Type, one: Alternative, other: Alternative, depth: number): boolean {
    const all = [...one, ...other]
    switch (type) {
      case 'null':
      case 'boolean':
        return false
      case 'integer':
      case 'number':
        return isEmptyRange(rangeOf(all))
      case 'string': {
        if (lengthsOf(all).min > lengthsOf(all).max) return true
        const patterns = all.map(({ pattern }) => pattern).filter((dfa) => dfa !== undefined)
        return patterns.length > 1 && this.#haveNothingCommon(patterns)
      }
      case 'array':
        return countsOf(all).min > countsOf(all).max
      case 'object':
        return this.#haveOtherMembers(one, other, depth)
    }
  }

  #haveNothingCommon(patterns: readonly Dfa[]): boolean {
    try {
      return isEmpty(patterns.reduce((a, b) => intersect(a, b, this.#reader.budget)))
    } catch (error) {
      if (error instanceof PatternRefused) return false
      throw error
    }
  }

  /** Returns true if a required property can have no value that is valid in both. */
  #haveOtherMembers(one: Alternative, other: Alternative, depth: number): boolean {
    const required = new Set([...one, ...other].flatMap((facts) => facts.required))
    return [...required].some((name) => {
      const [left, right] = [one, other].map((facts) => this.alternatives(memberOf(facts, name)))
      if (left === undefined || right === undefined) return false
      return left.every((a) => right.every((b) => this.#areDisjoint(a, b, depth + 1)))
    })
  }

  /** Returns the listed values (`enum`, `const`) that are valid; undefined if no values are listed. */
  values(alternative: Alternative): readonly unknown[] | undefined {
    const listed = alternative.find(({ values }) => values !== undefined)?.values
    return listed?.filter((value) => this.#holds(alternative, value, false))
  }

  #holds(alternative: Alternative, value: unknown, leniently: boolean): boolean {
    return alternative.every((facts) => this.#holdsPlainly(facts, value, leniently, 0))
  }

  /** With `leniently` every format counts as valid, because only a part of each format is enforced. */
  #admits(schema: Located, value: unknown, leniently: boolean, depth: number): boolean {
    const facts = this.#reader.read(schema)
    if (facts === undefined) return true
    if (facts === null) return false
    this.#reader.budget.spend(5)
    if (depth > schemaDepthMax)
      throw new SchemaRefused(schema.path, `The schema nests deeper than ${schemaDepthMax} levels.`)
    const admits = (branch: Located, lenient = leniently): boolean =>
      this.#admits(branch, value, lenient, depth + 1)
    if (!this.#holdsPlainly(facts, value, leniently, depth)) return false
    if (facts.reference !== undefined && !admits(facts.reference)) return false
    if (!facts.allOf.every((part) => admits(part))) return false
    if (facts.anyOf !== undefined && !facts.anyOf.some((branch) => admits(branch))) return false
    if (facts.oneOf === undefined) return true
    const count = facts.oneOf.filter((branch) => admits(branch, true)).length
    return leniently ? count > 0 : count === 1 && facts.oneOf.some((branch) => admits(branch))
  }

  #holdsPlainly(facts: Facts, value: unknown, leniently: boolean, depth: number): boolean {
    this.#reader.budget.spend(1)
    if (!typesOf([facts]).some((type) => isOfType(value, type))) return false
    if (facts.values !== undefined) {
      const text = canonical(value)
      this.#reader.budget.spend(text.length / 10)
      if (!facts.texts.has(text)) return false
    }
    const admits = (schema: Located, member: unknown): boolean =>
      this.#admits(schema, member, leniently, depth + 1)
    if (typeof value === 'number') {
      return !isEmptyRange(
        rangeOf([facts, { least: { value, isOpen: false }, most: { value, isOpen: false } }]),
      )
    }
    if (typeof value === 'string') {
      this.#reader.budget.spend(value.length)
      const length = Array.from(value).length
      if (length < facts.minLength || length > facts.maxLength) return false
      if (facts.pattern !== undefined && !accepts(facts.pattern, value)) return false
      return leniently || facts.format === undefined || accepts(facts.format, value)
    }
    if (Array.isArray(value)) {
      if (value.length < facts.minItems || value.length > facts.maxItems) return false
      return value.every((item, index) =>
        itemOf([facts], index).every((schema) => admits(schema, item)),
      )
    }
    if (!isObject(value)) return true
    if (!facts.required.every((name) => Object.hasOwn(value, name))) return false
    return Object.entries(value).every(([name, member]) =>
      memberOf([facts], name).every((schema) => admits(schema, member)),
    )
  }
}

const disjointDepthMax = 4

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

export function rangeOf(all: readonly Pick<Facts, 'least' | 'most'>[]): NumberRange {
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

/** Returns the schemas of a property: its own where it is listed, else `additionalProperties`. */
export function memberOf(all: Alternative, name: string): readonly Located[] {
  return all.flatMap(({ properties, additional }) => properties.get(name) ?? additional ?? [])
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
