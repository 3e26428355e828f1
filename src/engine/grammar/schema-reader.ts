import { schemaNodesMax, schemaStringsMax } from '../../limits.ts'
import { type Dfa, PatternRefused } from './dfa.ts'
import { formats } from './formats.ts'
import { type Budget, SchemaRefused } from './grammar.ts'
import type { Bound } from './number-range.ts'
import { compilePattern } from './pattern.ts'

export const types = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const
export type Type = (typeof types)[number]

/** A schema and its path in the request's schema, for error messages. */
export type Located = { readonly schema: unknown; readonly path: string }

/** The keywords of one schema object, without those of the schemas that it refers to. */
export type Facts = {
  readonly id: number
  readonly path: string
  types?: ReadonlySet<Type>
  values?: readonly unknown[]
  /** The values as canonical JSON. */
  texts: ReadonlySet<string>
  least?: Bound
  most?: Bound
  minLength: number
  maxLength: number
  /** The automaton of its `pattern`. */
  pattern?: Dfa
  /** The automaton of its `format`. It is narrower than the standard, so it cannot prove that a text has not the format. */
  format?: Dfa
  /** True if the schema has the keyword `properties`, even if it lists none. */
  declares: boolean
  properties: ReadonlyMap<string, Located>
  required: readonly string[]
  additional?: Located
  prefix: readonly Located[]
  items?: Located
  minItems: number
  maxItems: number
  reference?: Located
  allOf: readonly Located[]
  anyOf?: readonly Located[]
  oneOf?: readonly Located[]
}

/** Keywords without effect on validity; `$defs` are read where they are referred to. */
const annotations = new Set([
  'title',
  'description',
  'default',
  'examples',
  '$comment',
  '$schema',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$defs',
  'definitions',
])

/** Reads the keywords of each schema object once, and refuses unsupported ones by name. */
export class SchemaReader {
  readonly budget: Budget
  readonly #root: unknown
  readonly #read = new Map<object, Facts>()
  /** Compiled automata by their pattern. */
  readonly #automata = new Map<string, Dfa>()

  constructor(root: unknown, budget: Budget) {
    this.#root = root
    this.budget = budget
  }

  /** Returns undefined for the schema `true` and null for `false`. */
  read({ schema, path }: Located): Facts | undefined | null {
    if (schema === true) return undefined
    if (schema === false) return null
    if (!isObject(schema)) throw invalid(path, 'a schema must be an object or a boolean')
    const known = this.#read.get(schema)
    if (known !== undefined) return known
    if (this.#read.size >= schemaNodesMax)
      throw new SchemaRefused('', `The schema has more than ${schemaNodesMax} subschemas.`)
    this.budget.spend(10)
    const facts: Facts = {
      id: this.#read.size,
      path,
      texts: new Set(),
      minLength: 0,
      maxLength: Infinity,
      declares: false,
      properties: new Map(),
      required: [],
      prefix: [],
      minItems: 0,
      maxItems: Infinity,
      allOf: [],
    }
    this.#read.set(schema, facts)
    for (const [keyword, value] of Object.entries(schema)) {
      this.#readKeyword(facts, keyword, value, join(path, keyword))
    }
    if (facts.values !== undefined) facts.texts = new Set(facts.values.map(canonical))
    return facts
  }

  #readKeyword(facts: Facts, keyword: string, value: unknown, path: string): void {
    if (annotations.has(keyword)) return
    switch (keyword) {
      case 'pattern':
        facts.pattern = this.#readPattern(value, path)
        return
      case 'format':
        facts.format = this.#readFormat(value, path)
        return
      case '$ref':
        facts.reference = this.#resolve(value, path)
        return
    }
    const read = plainKeywords.get(keyword)
    if (read === undefined) throw refused(path, 'is not supported')
    read(facts, value, path)
  }

  #readPattern(value: unknown, path: string): Dfa {
    if (typeof value !== 'string') throw invalid(path, 'it must be a string')
    try {
      return this.#automaton(value)
    } catch (error) {
      if (error instanceof PatternRefused) throw refused(path, `is refused: ${error.message}`)
      throw error
    }
  }

  #readFormat(value: unknown, path: string): Dfa {
    const pattern = typeof value === 'string' ? formats.get(value) : undefined
    if (pattern === undefined)
      throw refused(
        path,
        `has a value that is not supported; those are ${[...formats.keys()].join(', ')}`,
      )
    return this.#automaton(pattern)
  }

  #automaton(pattern: string): Dfa {
    const known = this.#automata.get(pattern)
    if (known !== undefined) return known
    const dfa = compilePattern(pattern, this.budget)
    this.#automata.set(pattern, dfa)
    return dfa
  }

  #resolve(value: unknown, path: string): Located {
    if (typeof value !== 'string') throw invalid(path, 'it must be a string')
    if (value !== '#' && !value.startsWith('#/'))
      throw refused(path, 'is supported for places in the same schema only (`#/…`)')
    let schema: unknown = this.#root
    let at = ''
    for (const part of value.split('/').slice(1)) {
      const name = decodePointer(part, path)
      if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, name))
        throw invalid(path, 'it points to nothing')
      schema = Reflect.get(schema, name)
      at = join(at, name)
    }
    return { schema, path: at }
  }
}

/** Keywords that are read from their value alone. */
const plainKeywords: ReadonlyMap<string, (facts: Facts, value: unknown, path: string) => void> =
  new Map([
    ['$id', (facts, _, path) => requireRoot(facts, path)],
    ['type', (facts, value, path) => void (facts.types = readTypes(value, path))],
    [
      'enum',
      (facts, value, path) => void (facts.values = both(facts.values, readEnum(value, path))),
    ],
    ['const', (facts, value) => void (facts.values = both(facts.values, [value]))],
    ['minimum', (facts, value, path) => raiseLeast(facts, readNumber(value, path), false)],
    ['exclusiveMinimum', (facts, value, path) => raiseLeast(facts, readNumber(value, path), true)],
    ['maximum', (facts, value, path) => lowerMost(facts, readNumber(value, path), false)],
    ['exclusiveMaximum', (facts, value, path) => lowerMost(facts, readNumber(value, path), true)],
    ['minLength', (facts, value, path) => void (facts.minLength = readCount(value, path))],
    ['maxLength', (facts, value, path) => void (facts.maxLength = readCount(value, path))],
    ['properties', (facts, value, path) => declare(facts, readProperties(value, path))],
    ['required', (facts, value, path) => void (facts.required = readNames(value, path))],
    [
      'additionalProperties',
      (facts, value, path) => void (facts.additional = readSchema(value, path)),
    ],
    ['prefixItems', (facts, value, path) => void (facts.prefix = readSchemas(value, path))],
    ['items', (facts, value, path) => void (facts.items = readItems(value, path))],
    ['minItems', (facts, value, path) => void (facts.minItems = readCount(value, path))],
    ['maxItems', (facts, value, path) => void (facts.maxItems = readCount(value, path))],
    ['uniqueItems', (_, value, path) => requireFalse(value, path)],
    ['allOf', (facts, value, path) => void (facts.allOf = readSchemas(value, path))],
    ['anyOf', (facts, value, path) => void (facts.anyOf = readSchemas(value, path))],
    ['oneOf', (facts, value, path) => void (facts.oneOf = readSchemas(value, path))],
  ])

function requireRoot(facts: Facts, path: string): void {
  if (facts.path !== '') throw refused(path, 'is supported at the root only')
}

function requireFalse(value: unknown, path: string): void {
  if (value !== false) throw refused(path, 'is not supported')
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

function readEnum(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(path, 'it must be an array')
  if (value.length > schemaStringsMax)
    throw refused(path, `has more than ${schemaStringsMax} values`)
  return value
}

function readItems(value: unknown, path: string): Located {
  if (Array.isArray(value)) throw refused(path, 'as a list is not supported: use prefixItems')
  return readSchema(value, path)
}

export function join(path: string, part: string | number): string {
  if (typeof part === 'number') return `${path}[${part}]`
  return path === '' ? part : `${path}.${part}`
}

export function refused(path: string, what: string): SchemaRefused {
  return new SchemaRefused(path, `\`${keywordOf(path)}\` ${what}.`)
}

/** Serialises JSON with sorted members, so that equal values have equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function keywordOf(path: string): string {
  return (path.split('.').at(-1) ?? path).slice(0, 100)
}

function invalid(path: string, what: string): SchemaRefused {
  const where = path === '' ? 'The schema' : `\`${keywordOf(path)}\``
  return new SchemaRefused(path, `${where} is not valid JSON Schema: ${what}.`)
}

function decodePointer(part: string, path: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    throw invalid(path, 'it is not a JSON pointer')
  }
}

function readTypes(value: unknown, path: string): ReadonlySet<Type> {
  const names = Array.isArray(value) ? value : [value]
  const known = names.map((name) => types.find((type) => type === name))
  const read = known.filter((type) => type !== undefined)
  if (read.length === 0 || read.length < names.length)
    throw invalid(path, `the types are ${types.join(', ')}`)
  return new Set(read)
}

function readNumber(value: unknown, path: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw invalid(path, 'it must be a number')
  return value
}

function readCount(value: unknown, path: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    throw invalid(path, 'it must be a whole number of 0 or more')
  return value
}

function readNames(value: unknown, path: string): readonly string[] {
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string'))
    throw invalid(path, 'it must be a list of names')
  return value
}

function readSchema(value: unknown, path: string): Located {
  if (!isObject(value) && typeof value !== 'boolean')
    throw invalid(path, 'a schema must be an object or a boolean')
  return { schema: value, path }
}

function readSchemas(value: unknown, path: string): readonly Located[] {
  if (!Array.isArray(value) || value.length === 0)
    throw invalid(path, 'it must be a list of schemas')
  return value.map((schema, index) => readSchema(schema, join(path, index)))
}

function readProperties(value: unknown, path: string): ReadonlyMap<string, Located> {
  if (!isObject(value)) throw invalid(path, 'it must be an object')
  return new Map(
    Object.entries(value).map(([name, schema]) => [name, readSchema(schema, join(path, name))]),
  )
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
