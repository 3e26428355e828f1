import {
  schemaArrayItemsMax,
  schemaPropertiesMax,
  schemaStringCharsMax,
  schemaStringStatesMax,
} from '../../limits.ts'
import { union } from './code-points.ts'
import { type Dfa, intersect, longest, PatternRefused } from './dfa.ts'
import { type Grammar, GrammarBuilder, SchemaRefused, type State } from './grammar.ts'
import { JsonRules } from './json-rules.ts'
import { addNumberRange } from './number-range.ts'
import {
  type Alternative,
  countsOf,
  itemOf,
  lengthsOf,
  memberOf,
  rangeOf,
  SchemaLogic,
  typesOf,
} from './schema-logic.ts'
import { join, type Located, refused, SchemaReader, type Type } from './schema-reader.ts'

/**
 * Compiles a schema to a grammar. Every text of the grammar is JSON that is valid against the schema, but not
 * the reverse: properties come in the order of their declaration, and an object that declares properties has
 * no others.
 * @throws SchemaRefused
 */
export function compileSchema(schema: unknown): Grammar {
  const grammar = new GrammarBuilder()
  const rule = new SchemaCompiler(schema, grammar, new JsonRules(grammar)).compile()
  return requirePossible(grammar.finish(rule))
}

/** Compiles a grammar of all JSON objects. */
export function compileJsonObject(): Grammar {
  const grammar = new GrammarBuilder()
  const json = new JsonRules(grammar)
  return requirePossible(grammar.finish(json.map(json.any())))
}

export function requirePossible(grammar: Grammar | undefined): Grammar {
  if (grammar === undefined)
    throw new SchemaRefused('', 'No value of a usable size can be valid against the schema.')
  return grammar
}

type Work = { readonly schemas: readonly Located[]; readonly start: State }

export class SchemaCompiler {
  readonly #root: Located
  readonly #grammar: GrammarBuilder
  readonly #json: JsonRules
  readonly #reader: SchemaReader
  readonly #logic: SchemaLogic
  readonly #rules = new Map<string, State>()
  readonly #strings = new Map<string, State>()
  readonly #rests: State[] = []
  readonly #automatonIds = new Map<Dfa, number>()
  /** Rules still to be built. A list, not a recursion: a chain of references may be long. */
  readonly #work: Work[] = []

  constructor(schema: unknown, grammar: GrammarBuilder, json: JsonRules) {
    this.#root = { schema, path: '' }
    this.#grammar = grammar
    this.#json = json
    this.#reader = new SchemaReader(schema, grammar.budget)
    this.#logic = new SchemaLogic(this.#reader)
  }

  /** Builds the rule of the whole schema. */
  compile(): State {
    return this.#compile([this.#root])
  }

  /** Builds the rule of those valid values that are objects. */
  compileObject(): State {
    return this.#compile([this.#root, { schema: { type: 'object' }, path: '' }])
  }

  #compile(schemas: readonly Located[]): State {
    const rule = this.#rule(schemas)
    for (let work = this.#work.pop(); work !== undefined; work = this.#work.pop()) {
      const end = this.#grammar.state()
      this.#grammar.end(end)
      for (const alternative of this.#logic.alternatives(work.schemas)) {
        this.#addAlternative(work.start, alternative, end)
      }
    }
    return rule
  }

  /** Returns the rule of the values that are valid against all of the schemas. */
  #rule(schemas: readonly Located[]): State {
    const read = schemas.map((schema) => this.#reader.read(schema))
    const ids = new Set(read.map((facts) => (facts === null ? 'never' : facts?.id)))
    ids.delete(undefined)
    if (ids.size === 0) return this.#json.any()
    const key = [...ids].join()
    let start = this.#rules.get(key)
    if (start === undefined) {
      start = this.#grammar.state()
      this.#rules.set(key, start)
      this.#work.push({ schemas, start })
    }
    return start
  }

  #addAlternative(start: State, alternative: Alternative, end: State): void {
    const values = this.#logic.values(alternative)
    if (values !== undefined) {
      const texts = values.map((value) => JSON.stringify(value))
      this.#grammar.budget.spend(texts.reduce((sum, text) => sum + text.length, 0))
      this.#grammar.anyText(start, texts, end)
      return
    }
    for (const type of typesOf(alternative)) this.#addType(type, start, alternative, end)
  }

  #addType(type: Type, start: State, alternative: Alternative, end: State): void {
    switch (type) {
      case 'null':
        this.#grammar.anyText(start, ['null'], end)
        break
      case 'boolean':
        this.#grammar.anyText(start, ['true', 'false'], end)
        break
      case 'integer':
      case 'number':
        this.#addNumber(type, start, alternative, end)
        break
      case 'string':
        this.#addString(start, alternative, end)
        break
      case 'array':
        this.#addArray(start, alternative, end)
        break
      case 'object':
        this.#addObject(start, alternative, end)
    }
  }

  #addNumber(type: 'integer' | 'number', start: State, alternative: Alternative, end: State): void {
    const range = rangeOf(alternative)
    const isFree = range.least === undefined && range.most === undefined
    if (isFree) {
      const rule = type === 'integer' ? this.#json.integer : this.#json.number
      this.#grammar.call(start, rule, end)
    } else addNumberRange(this.#grammar, start, range, type === 'integer', end)
  }

  #addString(start: State, alternative: Alternative, end: State): void {
    const { min, max } = lengthsOf(alternative)
    const path = alternative.find(({ minLength }) => minLength === min)?.path ?? ''
    if (min > schemaStringCharsMax)
      throw refused(join(path, 'minLength'), `is supported up to ${schemaStringCharsMax}`)
    if (min > max) return
    const most = max === Infinity ? Infinity : Math.min(max, schemaStringCharsMax)
    const automata = alternative
      .flatMap(({ pattern, format }) => [pattern, format])
      .filter((dfa) => dfa !== undefined)
    try {
      this.#grammar.call(start, this.#string([...new Set(automata)], min, most), end)
    } catch (error) {
      if (!(error instanceof PatternRefused)) throw error
      const at = alternative.find(({ pattern, format }) => pattern ?? format)
      const keyword = at?.pattern === undefined ? 'format' : 'pattern'
      throw refused(join(at?.path ?? '', keyword), `is refused: ${error.message}`)
    }
  }

  /** Returns one rule for all strings with the same constraints. */
  #string(automata: readonly Dfa[], min: number, max: number): State {
    if (automata.length === 0 && min === 0 && max === Infinity) return this.#json.string
    const ids = automata.map((dfa) => {
      const id = this.#automatonIds.get(dfa) ?? this.#automatonIds.size
      this.#automatonIds.set(dfa, id)
      return id
    })
    const key = `${ids.join()} ${min} ${max}`
    const known = this.#strings.get(key)
    if (known !== undefined) return known
    const grammar = this.#grammar
    const start = grammar.state()
    this.#strings.set(key, start)
    const inside = grammar.text(start, '"')
    const [first, ...others] = automata
    if (first === undefined) this.#addCharacters(inside, min, max)
    else {
      const dfa = others.reduce((a, b) => intersect(a, b, grammar.budget), first)
      this.#addMatching(inside, dfa, min, longest(dfa) <= max ? Infinity : max)
    }
    return start
  }

  #addCharacters(from: State, min: number, max: number): void {
    const grammar = this.#grammar
    let at = from
    for (let count = 0; count < min; count++) {
      const next = grammar.state()
      grammar.call(at, this.#json.character, next)
      at = next
    }
    if (max === Infinity) grammar.call(at, this.#json.character, at)
    grammar.skip(at, this.#rest(max === Infinity ? 0 : max - min))
  }

  /** Returns a state before at most `count` characters and the closing quote. All counts share one chain. */
  #rest(count: number): State {
    const grammar = this.#grammar
    if (this.#rests.length === 0) {
      const [closing, end] = [grammar.state(), grammar.state()]
      grammar.text(closing, '"', end)
      grammar.end(end)
      this.#rests.push(closing)
    }
    const [closing = 0] = this.#rests
    for (let more = this.#rests.length; more <= count; more++) {
      const state = grammar.state()
      grammar.skip(state, closing)
      grammar.call(state, this.#json.character, this.#rests[more - 1] ?? closing)
      this.#rests.push(state)
    }
    return this.#rests[count] ?? closing
  }

  /** Adds the automaton's texts of `min` to `max` characters: each of its states once for every relevant count. */
  #addMatching(from: State, dfa: Dfa, min: number, max: number): void {
    const countMax = max === Infinity ? min : max
    const states = new Map<number, State>()
    const todo: { id: number; count: number; state: State }[] = []
    const stateOf = (id: number, count: number): State => {
      const key = id * (countMax + 1) + count
      let state = states.get(key)
      if (state === undefined) {
        if (states.size >= schemaStringStatesMax)
          throw new PatternRefused('with these lengths it is too large')
        state = this.#grammar.state()
        states.set(key, state)
        todo.push({ id, count, state })
      }
      return state
    }
    this.#grammar.skip(from, stateOf(0, 0))
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      const { id, count, state } = next
      const { accepts, moves } = dfa[id] ?? { accepts: false, moves: [] }
      if (accepts && count >= min) this.#grammar.skip(state, this.#rest(0))
      if (count === max) continue
      const after = Math.min(count + 1, countMax)
      const targets = Map.groupBy(moves, (move) => move.to)
      for (const [target, ranges] of targets) {
        const points = union(ranges.map(({ first, last }) => [first, last]))
        this.#grammar.call(state, this.#json.oneOf(points), stateOf(target, after))
      }
    }
  }

  #addArray(start: State, alternative: Alternative, end: State): void {
    const { min, max } = countsOf(alternative)
    if (min > schemaArrayItemsMax) {
      const path = alternative.find(({ minItems }) => minItems === min)?.path ?? ''
      throw refused(join(path, 'minItems'), `is supported up to ${schemaArrayItemsMax}`)
    }
    if (min > max) return
    const most = max === Infinity ? Infinity : Math.min(max, schemaArrayItemsMax)
    const prefix = Math.max(0, ...alternative.map((facts) => facts.prefix.length))
    if (prefix > schemaArrayItemsMax) {
      const path = alternative.find((facts) => facts.prefix.length === prefix)?.path ?? ''
      throw refused(join(path, 'prefixItems'), `is supported up to ${schemaArrayItemsMax} items`)
    }
    const grammar = this.#grammar
    const inside = grammar.state()
    grammar.text(start, '[', inside)
    const closing = grammar.state()
    grammar.text(closing, ']', end)
    const steps = most === Infinity ? Math.max(min, prefix, 1) : most
    let at = inside
    for (let index = 0; index < steps; index++) {
      if (index >= min) grammar.skip(at, closing)
      const next = grammar.state()
      const from = index === 0 ? at : this.#json.after(at, ',')
      grammar.call(from, this.#rule(itemOf(alternative, index)), next)
      at = next
    }
    grammar.skip(at, closing)
    if (most === Infinity)
      grammar.call(this.#json.after(at, ','), this.#rule(itemOf(alternative, steps)), at)
  }

  #addObject(start: State, alternative: Alternative, end: State): void {
    const required = new Set(alternative.flatMap((facts) => facts.required))
    const names = [
      ...new Set([...alternative.flatMap((f) => [...f.properties.keys()]), ...required]),
    ]
    if (names.length > schemaPropertiesMax) {
      const largest = alternative.find(({ properties }) => properties.size > 0)
      throw refused(
        join(largest?.path ?? '', 'properties'),
        `is supported with up to ${schemaPropertiesMax} names`,
      )
    }
    const grammar = this.#grammar
    const schemas = alternative.flatMap(({ additional }) => additional ?? [])
    if (names.length === 0 && (schemas.length > 0 || !alternative.some((f) => f.declares))) {
      // Without `properties`, `additionalProperties` applies to every property.
      grammar.call(start, this.#json.map(this.#rule(schemas)), end)
      return
    }
    // `open`: no property has been written yet; `rest`: at least one has.
    let open: State | undefined = grammar.text(start, '{')
    let rest: State | undefined
    for (const name of names) {
      const member = grammar.state()
      if (open !== undefined) grammar.skip(open, member)
      if (rest !== undefined) grammar.skip(this.#json.after(rest, ','), member)
      const value = this.#json.after(grammar.text(member, JSON.stringify(name)), ':')
      const next = grammar.state()
      grammar.call(value, this.#rule(memberOf(alternative, name)), next)
      if (required.has(name)) open = undefined
      else if (rest !== undefined) grammar.skip(rest, next)
      rest = next
    }
    for (const state of [open, rest]) if (state !== undefined) grammar.text(state, '}', end)
  }
}
