import { anyJsonDepthMax, schemaArrayItemsMax } from '../../limits.ts'
import type { State } from '../grammar/grammar.ts'
import type { Located, Type } from '../grammar/schemas/facts.ts'
import { isObject } from '../grammar/schemas/keyword-values.ts'
import { type Alternative, countsOf, itemOf, typesOf } from '../grammar/schemas/schema-values.ts'
import { addTextUntil } from './call-grammar.ts'
import {
  addBareName,
  nameRefused,
  SchemaPartReader,
  type SchemaParts,
  typed,
} from './schema-parts.ts'
import type { DictionaryForm } from './tool-form.ts'

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
      const texts = values.map((value) => this.#write(value))
      grammar.budget.spend(texts.reduce((sum, text) => sum + text.length, 0))
      grammar.anyText(start, texts, end)
      return
    }
    const types = typesOf(alternative)
    const plain = types.filter((type) => plainTypes.includes(type))
    if (types.includes('string')) this.#addString(start, end)
    if (plain.length > 0)
      grammar.call(start, compiler.compileParts([...schemas, typed(plain)]), end)
    if (types.includes('array')) this.#addArray(start, alternative, end)
    if (types.includes('object')) this.#addObject(start, alternative, end)
  }

  #addString(from: State, to: State): void {
    const { grammar } = this.#parts
    addTextUntil(grammar, grammar.text(from, this.#quote), { marks: [this.#quote] }, to)
  }

  #addArray(from: State, alternative: Alternative, to: State): void {
    const { grammar } = this.#parts
    const { min, max } = countsOf(alternative)
    if (min > max || min > schemaArrayItemsMax) return
    const prefix = Math.max(0, ...alternative.map((facts) => facts.prefix.length))
    const most = max === Infinity ? Infinity : Math.min(max, schemaArrayItemsMax)
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

  /** Adds the members sorted by name, as the template writes them. */
  #addObject(from: State, alternative: Alternative, to: State): void {
    const { grammar } = this.#parts
    const members = this.#schema.membersOf(alternative)
    if (members === undefined) return
    const { names, required, free } = members
    if (free !== undefined) {
      grammar.call(from, this.#map(this.#rule(free)), to)
      return
    }
    const sorted = names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
    // `open`: no member has been written yet; `rest`: at least one has.
    let open: State | undefined = grammar.text(from, '{')
    let rest: State | undefined
    for (const name of sorted) {
      const [member, next] = [grammar.state(), grammar.state()]
      if (open !== undefined) grammar.skip(open, member)
      if (rest !== undefined) grammar.text(rest, ',', member)
      const value = grammar.text(member, this.#key(name))
      grammar.call(value, this.#rule(this.#schema.memberOf(alternative, name)), next)
      if (required.has(name)) open = undefined
      else if (rest !== undefined) grammar.skip(rest, next)
      rest = next
    }
    for (const state of [open, rest]) if (state !== undefined) grammar.text(state, '}', to)
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
    const [start, name, named, rest, end] = Array.from({ length: 5 }, () => grammar.state()) as [
      State,
      State,
      State,
      State,
      State,
    ]
    grammar.end(end)
    const first = grammar.text(start, '{')
    grammar.skip(first, name)
    grammar.key(name, addBareName(grammar), named)
    grammar.call(grammar.text(named, ':'), value, rest)
    grammar.text(rest, ',', name)
    for (const from of [first, rest]) grammar.text(from, '}', end)
    return start
  }

  #key(name: string): string {
    if (!/^[^{}[\],:]+$/.test(name) || name.includes(this.#quote)) throw nameRefused(name)
    return `${name}:`
  }

  /** Returns a value listed by the schema, in the text of this form. */
  #write(value: unknown): string {
    if (typeof value === 'string') return this.#quote + value + this.#quote
    if (Array.isArray(value)) return `[${value.map((item) => this.#write(item)).join()}]`
    if (!isObject(value)) return JSON.stringify(value)
    const members = Object.entries(value).map(
      ([name, member]) => this.#key(name) + this.#write(member),
    )
    return `{${members.join()}}`
  }
}

const plainTypes: readonly Type[] = ['null', 'boolean', 'integer', 'number']
