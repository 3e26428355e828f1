import { schemaNodesMax, schemaStringsMax } from '../../limits.ts'
import { formats } from './formats.ts'
import { type Budget, SchemaRefused } from './grammar.ts'
import type { Bound } from './number-range.ts'
import { compilePattern, type Dfa, PatternRefused } from './pattern.ts'

export const types = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const
export type Type = (typeof types)[number]

/** A schema and where it stands, for whoever is told what is wrong with it. */
export type Located = { readonly schema: unknown; readonly path: string }

/** What one schema object asks for, without what it takes from others. */
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
  /** Of its pattern. */
  pattern?: Dfa
  /** Of its format: narrower than the standard, so of no use to tell what is not in it. */
  format?: Dfa
  /** Whether it lists properties, be it none. */
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

/** They say nothing about what is valid; `$defs` are read where they are referred to. */
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

/** Reads the keywords of each schema object once. Whatever is not known here is refused by name. */
export class SchemaReader {
  readonly budget: Budget
  readonly #root: unknown
  readonly #read = new Map<object, Facts>()
  /** By their pattern. */
  readonly #automata = new Map<string, Dfa>()

  constructor(root: unknown, budget: Budget) {
    this.#root = root
    this.budget = budget
  }

  /** Undefined for `true`; null for `false`. */
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
      case '$id':
        if (facts.path !== '') throw refused(path, 'is supported at the root only')
        return
      case 'type':
        facts.types = readTypes(value, path)
        return
      case 'enum':
        if (!Array.isArray(value)) throw invalid(path, 'it must be an array')
        if (value.length > schemaStringsMax)
          throw refused(path, `has more than ${schemaStringsMax} values`)
        facts.values = both(facts.values, value)
        return
      case 'const':
        facts.values = both(facts.values, [value])
        return
      case 'minimum':
        facts.least = stricter(facts.least, { value: readNumber(value, path), isOpen: false }, 1)
        return
      case 'exclusiveMinimum':
        facts.least = stricter(facts.least, { value: readNumber(value, path), isOpen: true }, 1)
        return
      case 'maximum':
        facts.most = stricter(facts.most, { value: readNumber(value, path), isOpen: false }, -1)
        return
      case 'exclusiveMaximum':
        facts.most = stricter(facts.most, { value: readNumber(value, path), isOpen: true }, -1)
        return
      case 'minLength':
        facts.minLength = readCount(value, path)
        return
      case 'maxLength':
        facts.maxLength = readCount(value, path)
        return
      case 'pattern':
        facts.pattern = this.#readPattern(value, path)
        return
      case 'format':
        facts.format = this.#readFormat(value, path)
        return
      case 'properties':
        facts.declares = true
        facts.properties = readProperties(value, path)
        return
      case 'required':
        facts.required = readNames(value, path)
        return
      case 'additionalProperties':
        facts.additional = readSchema(value, path)
        return
      case 'prefixItems':
        facts.prefix = readSchemas(value, path)
        return
      case 'items':
        if (Array.isArray(value)) throw refused(path, 'as a list is not supported: use prefixItems')
        facts.items = readSchema(value, path)
        return
      case 'minItems':
        facts.minItems = readCount(value, path)
        return
      case 'maxItems':
        facts.maxItems = readCount(value, path)
        return
      case 'uniqueItems':
        if (value !== false) throw refused(path, 'is not supported')
        return
      case '$ref':
        facts.reference = this.#resolve(value, path)
        return
      case 'allOf':
        facts.allOf = readSchemas(value, path)
        return
      case 'anyOf':
        facts.anyOf = readSchemas(value, path)
        return
      case 'oneOf':
        facts.oneOf = readSchemas(value, path)
        return
      default:
        throw refused(path, 'is not supported')
    }
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

export function join(path: string, part: string | number): string {
  if (typeof part === 'number') return `${path}[${part}]`
  return path === '' ? part : `${path}.${part}`
}

export function refused(path: string, what: string): SchemaRefused {
  return new SchemaRefused(path, `\`${keywordOf(path)}\` ${what}.`)
}

/** Equal for equal JSON values, whatever the order of their members. */
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
    throw invalid(path, 'it must be a whole number from 0 on')
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

/** `direction` 1: the larger bound is the stricter one. */
export function stricter(a: Bound | undefined, b: Bound, direction: 1 | -1): Bound {
  if (a === undefined) return b
  if (a.value === b.value) return a.isOpen ? a : b
  return (a.value - b.value) * direction > 0 ? a : b
}
