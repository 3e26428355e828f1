import type { Bound } from '../number-range.ts'
import type { Dependent, Facts, Located } from './facts.ts'
import {
  canonical,
  isObject,
  readBoolean,
  readConst,
  readCount,
  readEnum,
  readNames,
  readNumber,
  readProperties,
  readSchema,
  readSchemas,
  readTypes,
} from './keyword-values.ts'
import { invalid, join, refused } from './schema-errors.ts'

type ReadKeyword = (facts: Facts, value: unknown, path: string) => void

/** Keywords whose meaning depends only on their own value. */
export const plainKeywords: ReadonlyMap<string, ReadKeyword> = new Map<string, ReadKeyword>([
  ['type', (facts, value, path) => void (facts.types = readTypes(value, path))],
  ['enum', (facts, value, path) => void (facts.values = both(facts.values, readEnum(value, path)))],
  [
    'const',
    (facts, value, path) => void (facts.values = both(facts.values, [readConst(value, path)])),
  ],
  ['minimum', (facts, value, path) => raiseLeast(facts, readNumber(value, path), false)],
  ['maximum', (facts, value, path) => lowerMost(facts, readNumber(value, path), false)],
  ['multipleOf', (facts, value, path) => void (facts.multiples = [readDivisor(value, path)])],
  ['minLength', (facts, value, path) => void (facts.minLength = readCount(value, path))],
  ['maxLength', (facts, value, path) => void (facts.maxLength = readCount(value, path))],
  ['properties', (facts, value, path) => declare(facts, readProperties(value, path))],
  ['required', (facts, value, path) => void (facts.required = readRequired(value, path))],
  ['additionalProperties', (f, value, path) => void (f.additional = readSchema(value, path))],
  ['propertyNames', (facts, value, path) => void (facts.propertyNames = readSchema(value, path))],
  ['minProperties', (facts, value, path) => void (facts.minProperties = readCount(value, path))],
  ['maxProperties', (facts, value, path) => void (facts.maxProperties = readCount(value, path))],
  ['dependencies', (facts, value, path) => addDependents(facts, value, path)],
  ['dependentRequired', (facts, value, path) => addDependents(facts, value, path)],
  ['dependentSchemas', (facts, value, path) => addDependents(facts, value, path)],
  ['unevaluatedProperties', (facts, value, path) => void (facts.isClosed = isFalse(value, path))],
  ['prefixItems', (facts, value, path) => void (facts.prefix = readSchemas(value, path))],
  ['minItems', (facts, value, path) => void (facts.minItems = readCount(value, path))],
  ['maxItems', (facts, value, path) => void (facts.maxItems = readCount(value, path))],
  ['uniqueItems', (facts, value, path) => void (facts.isUnique = readBoolean(value, path))],
  ['unevaluatedItems', (facts, value, path) => void (facts.isClosedList = isFalse(value, path))],
  ['allOf', (facts, value, path) => void (facts.allOf = readSchemas(value, path))],
  ['anyOf', (facts, value, path) => void (facts.anyOf = readSchemas(value, path))],
  ['oneOf', (facts, value, path) => void (facts.oneOf = readSchemas(value, path))],
  ['not', (facts, value, path) => void (facts.not = readSchema(value, path))],
])

/** Reads the keywords whose meaning depends on others of the same schema. */
export function combineKeywords(facts: Facts, schema: Readonly<Record<string, unknown>>): void {
  const at = (keyword: string): string => join(facts.path, keyword)
  const has = (keyword: string): boolean => Object.hasOwn(schema, keyword)
  for (const keyword of ['exclusiveMinimum', 'exclusiveMaximum'] as const) {
    if (has(keyword)) readExclusive(facts, keyword, schema[keyword], at(keyword))
  }
  if (has('items')) readItems(facts, schema, at)
  if (has('contains')) {
    facts.contains = readSchema(schema['contains'], at('contains'))
    if (has('minContains')) facts.minContains = readCount(schema['minContains'], at('minContains'))
    if (has('maxContains')) facts.maxContains = readCount(schema['maxContains'], at('maxContains'))
  }
  if (has('if') && (has('then') || has('else'))) {
    const read = (keyword: string): Located | undefined =>
      has(keyword) ? readSchema(schema[keyword], at(keyword)) : undefined
    const test = readSchema(schema['if'], at('if'))
    facts.condition = { test, passed: read('then'), failed: read('else') }
  }
  // `nullable` is a keyword of OpenAPI 3.0.
  if (schema['nullable'] === true && facts.types !== undefined)
    facts.types = new Set([...facts.types, 'null'])
}

/** Reads a number, or, as in draft 4, a flag that makes `minimum` or `maximum` exclusive. */
function readExclusive(
  facts: Facts,
  keyword: 'exclusiveMinimum' | 'exclusiveMaximum',
  value: unknown,
  path: string,
): void {
  const [bound, set] =
    keyword === 'exclusiveMinimum' ? [facts.least, raiseLeast] : [facts.most, lowerMost]
  if (typeof value !== 'boolean') set(facts, readNumber(value, path), true)
  else if (value && bound !== undefined) set(facts, bound.value, true)
}

/** Reads `items` as a schema of all items, or, as in drafts up to 7, as a list beside `additionalItems`. */
function readItems(
  facts: Facts,
  schema: Readonly<Record<string, unknown>>,
  at: (keyword: string) => string,
): void {
  const { items, additionalItems: rest } = schema
  if (!Array.isArray(items)) {
    facts.items = readSchema(items, at('items'))
    return
  }
  if (facts.prefix.length > 0) throw refused(at('items'), 'cannot be a list beside `prefixItems`')
  facts.prefix = items.map((item, index) => readSchema(item, join(at('items'), index)))
  if (rest !== undefined) facts.items = readSchema(rest, at('additionalItems'))
}

function raiseLeast(facts: Facts, value: number, isOpen: boolean): void {
  facts.least = stricter(facts.least, { value, isOpen }, 1)
}

function lowerMost(facts: Facts, value: number, isOpen: boolean): void {
  facts.most = stricter(facts.most, { value, isOpen }, -1)
}

function declare(facts: Facts, properties: ReadonlyMap<string, Located>): void {
  facts.declares = true
  facts.properties = properties
}

function readDivisor(value: unknown, path: string): number {
  const divisor = readNumber(value, path)
  if (divisor <= 0) throw invalid(path, 'it must be greater than 0')
  return divisor
}

function readRequired(value: unknown, path: string): readonly string[] {
  // Draft 3 has `required` inside the property, where its default is `false`.
  return value === false ? [] : readNames(value, path)
}

function isFalse(value: unknown, path: string): boolean {
  if (value !== false && value !== true && !(isObject(value) && Object.keys(value).length === 0))
    throw refused(path, 'is supported with the values true and false')
  return value === false
}

/** Reads what the presence of a property requires: other property names, or a schema for the whole object. */
function addDependents(facts: Facts, value: unknown, path: string): void {
  if (!isObject(value)) throw invalid(path, 'it must be an object')
  const read = Object.entries(value).map(([name, needed]): Dependent => {
    const at = join(path, name)
    if (typeof needed === 'string') return { name, required: [needed] }
    if (Array.isArray(needed)) return { name, required: readNames(needed, at) }
    return { name, required: [], schema: readSchema(needed, at) }
  })
  facts.dependents = [...facts.dependents, ...read]
}

function both(
  values: readonly unknown[] | undefined,
  others: readonly unknown[],
): readonly unknown[] {
  if (values === undefined) return others
  const allowed = new Set(others.map(canonical))
  return values.filter((value) => allowed.has(canonical(value)))
}

/** Returns the stricter bound: the larger one for `direction` 1, the smaller one for -1. */
export function stricter(a: Bound | undefined, b: Bound, direction: 1 | -1): Bound {
  if (a === undefined) return b
  if (a.value === b.value) return a.isOpen ? a : b
  return (a.value - b.value) * direction > 0 ? a : b
}
