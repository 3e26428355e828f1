import { anyJsonDepthMax, schemaArrayItemsMax, uniqueValuesMax } from '../../limits.ts'
import type { State } from '../grammar/grammar.ts'
import type { Located, Type } from '../grammar/schemas/facts.ts'
import { addMembers, addSeries } from '../grammar/members.ts'
import { integersIn } from '../grammar/number-range.ts'
import { canonical, isObject } from '../grammar/schemas/keyword-values.ts'
import { join, refused } from '../grammar/schemas/schema-errors.ts'
import {
  type Alternative,
  countsOf,
  itemOf,
  rangeOf,
  typesOf,
} from '../grammar/schemas/schema-values.ts'
import { addTextUntil } from './free-text.ts'
import {
  addBareName,
  nameRefused,
  pathOfValues,
  requireReadable,
  SchemaPartReader,
  type SchemaParts,
  typed,
} from './schema-parts.ts'
import type { DictionaryForm } from './tool-form.ts'

/** Names of a map, each with the rule of its values. */
type NameMap = {
  readonly regions: readonly { readonly name: State; readonly value: State }[]
  readonly hasFewNames: boolean
  readonly min: number
  readonly max: number
}

/** `path` leads to the schema that has `uniqueItems`. */
type UniqueItems = {
  readonly alternative: Alternative
  readonly min: number
  readonly max: number
  readonly path: string
}

type Work = { readonly schemas: readonly Located[]; readonly start: State; readonly end: State }

/**
 * Adds the arguments of a call as an object with unquoted keys. A string may be any text between two quote marks,
 * unless the schema lists the allowed values. Values of other types are valid against the schema.
 */
export class DictionaryArguments {
  readonly #parts: SchemaParts
  readonly #quote: string
  readonly #schema: SchemaPartReader
  readonly #rules = new Map<string, State>()
  readonly #anyRules: State[] = []
  /** Rules still to be built. A list avoids recursion, because a chain of references may be long. */
  readonly #work: Work[] = []

  constructor(parts: SchemaParts, form: DictionaryForm) {
    this.#parts = parts
    this.#quote = form.quote
    this.#schema = new SchemaPartReader(parts)
  }

  /** @throws SchemaRefused */
  add(from: State, to: State): void {
    for (const alternative of this.#schema.argumentsObject()) this.#addObject(from, alternative, to)
    for (let work = this.#work.pop(); work !== undefined; work = this.#work.pop())
      for (const alternative of this.#schema.logic.alternatives(work.schemas))
        this.#addAlternative(work, alternative)
  }

  /** Returns the rule of the values that are valid against all of the schemas. */
  #rule(schemas: readonly Located[]): State {
    const { grammar } = this.#parts
    const read = schemas.map((schema) => this.#schema.reader.read(schema))
    const ids = new Set(read.map((facts) => (facts === null ? 'never' : facts?.id)))
    ids.delete(undefined)
    if (ids.size === 0) return this.#any(anyJsonDepthMax)
    const key = [...ids].join()
    const known = this.#rules.get(key)
    if (known !== undefined) return known
    const [start, end] = [grammar.state(), grammar.state()]
    grammar.end(end)
    this.#rules.set(key, start)
    this.#work.push({ schemas, start, end })
    return start
  }

  #addAlternative({ schemas, start, end }: Work, alternative: Alternative): void {
    const { grammar, compiler } = this.#parts
    const values = this.#schema.logic.values(alternative)
    if (values !== undefined) {
      const path = pathOfValues(alternative)
      const texts = values.map((value) => this.#write(value, path))
      grammar.budget.spend(texts.reduce((sum, text) => sum + text.length, 0))
      grammar.anyText(start, texts, end)
      return
    }
    const types = typesOf(alternative)
    const plain = types.filter((type) => plainTypes.includes(type))
    if (types.includes('string')) this.#addString(start, end)
    if (plain.length > 0)
      grammar.call(start, compiler.compileParts([...schemas, typed(plain)]), end)
    const excluded = alternative.flatMap((facts) => facts.excluded)
    if (types.includes('array') && !excluded.some(Array.isArray))
      this.#addArray(start, alternative, end)
    if (types.includes('object') && !excluded.some(isObject))
      this.#addObject(start, alternative, end)
  }

  #addString(from: State, to: State): void {
    const { grammar } = this.#parts
    addTextUntil(grammar, grammar.text(from, this.#quote), { marks: [this.#quote] }, to)
  }

  #addArray(from: State, alternative: Alternative, to: State): void {
    const { grammar } = this.#parts
    const { min, max } = countsOf(alternative)
    const prefix = Math.max(0, ...alternative.map((facts) => facts.prefix.length))
    requireUsualArray(alternative, { min, prefix })
    if (min > max) return
    const most = max === Infinity ? Infinity : Math.min(max, schemaArrayItemsMax)
    const unique = alternative.find(({ isUnique }) => isUnique)
    if (unique !== undefined && most > 1) {
      this.#addUniqueItems(from, { alternative, min, max: most, path: unique.path }, to)
      return
    }
    const steps = most === Infinity ? Math.max(min, prefix, 1) : most
    const closing = grammar.state()
    grammar.text(closing, ']', to)
    let at = grammar.text(from, '[')
    const addItem = (index: number, next: State): void => {
      const item = index === 0 ? at : grammar.text(at, ',')
      grammar.call(item, this.#rule(itemOf(alternative, index)), next)
    }
    for (let index = 0; index < steps; index++) {
      if (index >= min) grammar.skip(at, closing)
      const next = grammar.state()
      addItem(index, next)
      at = next
    }
    grammar.skip(at, closing)
    if (most === Infinity) addItem(steps, at)
  }

  /** Adds a list without equal items. Each item has only one text: it is a string, an integer or a listed value. */
  #addUniqueItems(from: State, { alternative, min, max, path }: UniqueItems, to: State): void {
    const { grammar } = this.#parts
    const items = [...itemOf(alternative, 0), singleTexts]
    const refusal = refused(
      join(path, 'uniqueItems'),
      'is supported for strings, integers and listed values',
    )
    /** Texts of listed values by their canonical JSON. */
    const listed = new Map<string, string>()
    /** Least number of other values that are certain to exist. */
    let others = 0
    for (const one of this.#schema.logic.alternatives(items)) {
      const values = this.#schema.logic.values(one)
      const types = typesOf(one)
      const hasMultiples = one.some(({ multiples }) => multiples.length > 0)
      if (values === undefined && (hasMultiples || types.some((type) => manyTexts.includes(type))))
        throw refusal
      for (const value of values ?? valuesOf(types)) {
        const [name, text] = [canonical(value), this.#write(value, pathOfValues(one))]
        if ((listed.get(name) ?? text) !== text) throw refusal
        listed.set(name, text)
      }
      if (values !== undefined) continue
      const formats = one.flatMap(({ numberFormat }) => numberFormat ?? [])
      if (types.includes('integer'))
        others = Math.max(others, integersIn(rangeOf([...one, ...formats])))
      if (types.includes('string')) others = Infinity
    }
    const count = Math.max(listed.size, others)
    const most = count > uniqueValuesMax ? max : Math.min(max, count)
    const item = this.#rule(items)
    const ends = addSeries(
      grammar,
      grammar.text(from, '['),
      { min, max: most },
      {
        separate: (state) => grammar.text(state, ','),
        part: (open, next) => grammar.key(open, item, next, true),
      },
    )
    for (const state of ends) grammar.text(state, ']', to)
  }

  /** Adds the members sorted by name, as the template writes them. */
  #addObject(from: State, alternative: Alternative, to: State): void {
    const { grammar } = this.#parts
    const members = this.#schema.membersOf(alternative)
    if (members === undefined) return
    if (members.isMap) {
      const regions = members.regions.map(({ name, schemas }) => ({
        name,
        value: this.#rule(schemas),
      }))
      this.#addMap(from, { ...members, regions }, to)
      return
    }
    const sorted = members.names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
    const ends = addMembers(
      grammar,
      grammar.text(from, '{'),
      { ...members, names: sorted },
      {
        separate: (state) => grammar.text(state, ','),
        member: (name) => {
          const value = this.#rule(this.#schema.memberOf(alternative, name))
          return (open, next) => grammar.call(grammar.text(open, this.#key(name)), value, next)
        },
      },
    )
    for (const state of ends) grammar.text(state, '}', to)
  }

  /** Adds an object with any of the names, each at most once. */
  #addMap(from: State, { regions, hasFewNames, min, max }: NameMap, to: State): void {
    const { grammar } = this.#parts
    const ends = addSeries(
      grammar,
      grammar.text(from, '{'),
      { min, max },
      {
        separate: (state) => grammar.text(state, ','),
        part: (open, next) => {
          for (const { name, value } of regions) {
            const named = grammar.state()
            grammar.key(open, name, named, hasFewNames)
            grammar.call(grammar.text(named, ':'), value, next)
          }
        },
      },
    )
    for (const state of ends) grammar.text(state, '}', to)
  }

  /** Any value, nested at most `depth` levels. */
  #any(depth: number): State {
    const known = this.#anyRules[depth]
    if (known !== undefined) return known
    const { grammar, json } = this.#parts
    const [start, end] = [grammar.state(), grammar.state()]
    grammar.end(end)
    this.#anyRules[depth] = start
    grammar.anyText(start, ['null', 'true', 'false'], end)
    grammar.call(start, json.number, end)
    this.#addString(start, end)
    if (depth === 0) return start
    const value = this.#any(depth - 1)
    grammar.call(start, this.#map(value), end)
    const [first, rest] = [grammar.text(start, '['), grammar.state()]
    grammar.call(first, value, rest)
    grammar.call(grammar.text(rest, ','), value, rest)
    for (const from of [first, rest]) grammar.text(from, ']', end)
    return start
  }

  /** An object with any bare names, each at most once. */
  #map(value: State): State {
    const { grammar } = this.#parts
    const [start, end] = [grammar.state(), grammar.state()]
    grammar.end(end)
    const regions = [{ name: addBareName(grammar), value }]
    this.#addMap(start, { regions, hasFewNames: false, min: 0, max: Infinity }, end)
    return start
  }

  #key(name: string): string {
    if (!/^[^{}[\],:]+$/.test(name) || name.includes(this.#quote)) throw nameRefused(name)
    return `${name}:`
  }

  /** Returns a value listed by the schema at the path, in the text of this form. @throws SchemaRefused */
  #write(value: unknown, path: string): string {
    if (typeof value === 'string') {
      requireReadable({ text: value, path }, this.#quote)
      return this.#quote + value + this.#quote
    }
    if (Array.isArray(value)) return `[${value.map((item) => this.#write(item, path)).join()}]`
    if (!isObject(value)) return JSON.stringify(value)
    const members = Object.entries(value).map(
      ([name, member]) => this.#key(name) + this.#write(member, path),
    )
    return `{${members.join()}}`
  }
}

const plainTypes: readonly Type[] = ['null', 'boolean', 'integer', 'number']

/** Types whose values may have several texts each, so that equal values cannot be told by their text. */
const manyTexts: readonly Type[] = ['number', 'array', 'object']
/** An integer within bounds has only one text, without `-0`. */
const singleTexts: Located = {
  schema: { minimum: 1 - 1e15, maximum: 1e15 - 1 },
  path: '',
}

/** Returns all values of the types that have few. */
function valuesOf(types: readonly Type[]): readonly unknown[] {
  return [
    ...(types.includes('null') ? [null] : []),
    ...(types.includes('boolean') ? [true, false] : []),
  ]
}

/** @throws SchemaRefused for keywords of arrays that this form cannot enforce */
function requireUsualArray(
  alternative: Alternative,
  { min, prefix }: { min: number; prefix: number },
): void {
  for (const facts of alternative) {
    const at = (keyword: string): string => join(facts.path, keyword)
    if (facts.contains !== undefined)
      throw refused(at('contains'), 'is not supported for this model')
    if (facts.minItems === min && min > schemaArrayItemsMax)
      throw refused(at('minItems'), `is supported up to ${schemaArrayItemsMax}`)
    if (facts.prefix.length > schemaArrayItemsMax)
      throw refused(at('prefixItems'), `is supported up to ${schemaArrayItemsMax} items`)
    if (facts.isUnique && prefix > 0)
      throw refused(at('uniqueItems'), 'is supported without `prefixItems` only')
  }
}
