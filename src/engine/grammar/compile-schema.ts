import { addArray } from './array-rules.ts'
import { Budget, type Grammar, GrammarBuilder, SchemaRefused, type State } from './grammar.ts'
import { JsonRules } from './json-rules.ts'
import { addNumberRange, divisorOf, isEmptyRange, rangeKey } from './number-range.ts'
import { addObject } from './object-rules.ts'
import { complementOf, type Dfa, dfaOfTexts, PatternRefused } from './patterns/dfa.ts'
import type { RuleContext } from './rule-context.ts'
import type { Located, Type } from './schemas/facts.ts'
import { isObject } from './schemas/keyword-values.ts'
import { join, refused } from './schemas/schema-errors.ts'
import { SchemaLogic } from './schemas/schema-logic.ts'
import { SchemaReader } from './schemas/schema-reader.ts'
import { type Alternative, rangeOf, typesOf } from './schemas/schema-values.ts'
import { StringRules, writtenLengths } from './string-rules.ts'

/**
 * Compiles a schema to a grammar. Every text of the grammar is JSON that is valid against the schema. The grammar is
 * stricter than the schema: properties come in the order of their declaration, and an object that declares properties
 * has no other ones.
 * @throws SchemaRefused
 */
export function compileSchema(schema: unknown, budget = new Budget()): Grammar {
  const grammar = new GrammarBuilder(budget)
  const rule = new SchemaCompiler(schema, grammar, new SharedRules(grammar)).compile()
  return requirePossible(grammar.finish(rule))
}

/** Compiles a grammar of all JSON objects. */
export function compileJsonObject(budget = new Budget()): Grammar {
  const grammar = new GrammarBuilder(budget)
  const json = new JsonRules(grammar)
  return requirePossible(grammar.finish(json.map(json.any())))
}

/** Compiles a grammar that accepts exactly these texts, which need not be JSON. */
export function compileChoice(texts: readonly string[], budget = new Budget()): Grammar {
  const grammar = new GrammarBuilder(budget)
  return requirePossible(grammar.finish(addChoice(grammar, texts)))
}

/** Adds a rule that accepts exactly these texts. */
export function addChoice(grammar: GrammarBuilder, texts: readonly string[]): State {
  const [start, end] = [grammar.state(), grammar.state()]
  grammar.anyText(start, texts, end)
  grammar.end(end)
  return start
}

export function requirePossible(grammar: Grammar | undefined): Grammar {
  if (grammar === undefined)
    throw new SchemaRefused('', 'No value of a usable size can be valid against the schema.')
  return grammar
}

/** Facts that a compiler of the same schema has read. It only asks whether a value is possible. */
type Read = { readonly reader: SchemaReader; readonly logic: SchemaLogic }

/** Rules that the compilers of several schemas share, which build one grammar. */
export class SharedRules {
  readonly json: JsonRules
  readonly strings: StringRules
  /** Compiled automata by their pattern. */
  readonly automata = new Map<string, Dfa>()

  constructor(grammar: GrammarBuilder) {
    this.json = new JsonRules(grammar)
    this.strings = new StringRules(grammar, this.json)
  }
}

type Work = { readonly schemas: readonly Located[]; readonly start: State }

export class SchemaCompiler {
  readonly #root: Located
  readonly #grammar: GrammarBuilder
  readonly #json: JsonRules
  readonly #reader: SchemaReader
  readonly #logic: SchemaLogic
  readonly #context: RuleContext
  readonly #rules = new Map<string, State>()
  /**
   * Rules still to be built. They wait in a list, because recursion would overflow the stack on a long chain of
   * references.
   */
  readonly #work: Work[] = []

  constructor(schema: unknown, grammar: GrammarBuilder, shared: SharedRules, read?: Read) {
    const { json, strings, automata } = shared
    this.#root = { schema, path: '' }
    this.#grammar = grammar
    this.#json = json
    this.#reader = read?.reader ?? new SchemaReader(schema, grammar.budget, { automata })
    this.#logic = read?.logic ?? new SchemaLogic(this.#reader)
    this.#context = {
      grammar,
      json,
      strings,
      logic: this.#logic,
      rule: (schemas) => this.#rule(schemas),
      // A map within such a value counts all its names, which ends the recursion.
      isPossible: (schemas) => read !== undefined || this.isPossible(schemas),
    }
  }

  /** Builds the rule of the whole schema. */
  compile(): State {
    return this.#compile([this.#root])
  }

  /** Builds the rule of the valid values that are objects. */
  compileObject(): State {
    return this.#compile([this.#root, { schema: { type: 'object' }, path: '' }])
  }

  /** Builds the rule of the values that are valid against all of these parts of the schema. */
  compileParts(schemas: readonly Located[]): State {
    return this.#compile(schemas)
  }

  /** Returns true if the grammar has a value that is valid against all of these parts of the schema. */
  isPossible(schemas: readonly Located[]): boolean {
    const grammar = new GrammarBuilder(this.#grammar.budget)
    const read = { reader: this.#reader, logic: this.#logic }
    const other = new SchemaCompiler(this.#root.schema, grammar, new SharedRules(grammar), read)
    return grammar.findImpossible([other.compileParts(schemas)]) === -1
  }

  #compile(schemas: readonly Located[]): State {
    const rule = this.#rule(schemas)
    for (let work = this.#work.pop(); work !== undefined; work = this.#work.pop()) {
      const end = this.#grammar.state()
      this.#grammar.end(end)
      for (const alternative of this.#logic.alternatives(work.schemas)) {
        try {
          this.#addAlternative(work.start, alternative, end)
        } catch (error) {
          if (!(error instanceof PatternRefused)) throw error
          const path = alternative[0]?.path ?? ''
          throw new SchemaRefused(
            path,
            `A pattern, format or list of texts is refused: ${error.message}.`,
          )
        }
      }
    }
    return rule
  }

  /** Returns the rule of the values that are valid against all of the schemas. */
  #rule(schemas: readonly Located[]): State {
    this.#grammar.budget.spend(schemas.length)
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
    this.#grammar.budget.spend(alternative.length)
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
      case 'boolean':
        for (const value of type === 'null' ? [null] : [true, false]) {
          if (!isExcluded(alternative, (other) => other === value))
            this.#grammar.anyText(start, [String(value)], end)
        }
        break
      case 'integer':
      case 'number':
        this.#addNumber(type, start, alternative, end)
        break
      case 'string':
        this.#addString(start, alternative, end)
        break
      case 'array':
        if (!isExcluded(alternative, Array.isArray))
          addArray(this.#context, start, alternative, end)
        break
      case 'object':
        if (!isExcluded(alternative, isObject)) addObject(this.#context, start, alternative, end)
    }
  }

  #addNumber(type: 'integer' | 'number', start: State, alternative: Alternative, end: State): void {
    const formats = alternative.flatMap(({ numberFormat }) => numberFormat ?? [])
    const isInteger = type === 'integer' || formats.some((format) => format.isInteger)
    const multiples = alternative.flatMap((facts) => facts.multiples)
    const range = rangeOf([...alternative, ...formats])
    const holes = alternative
      .flatMap(({ excluded }) => excluded)
      .filter((value) => typeof value === 'number')
      .toSorted((a, b) => a - b)
    const isFree = range.least === undefined && range.most === undefined && holes.length === 0
    if (isFree && multiples.length === 0) {
      this.#grammar.call(start, isInteger ? this.#json.integer : this.#json.number, end)
      return
    }
    const divisor = divisorOf(isInteger && multiples.length > 0 ? [...multiples, 1] : multiples)
    if (divisor === undefined) {
      const path = alternative.find((facts) => facts.multiples.length > 0)?.path ?? ''
      throw refused(join(path, 'multipleOf'), 'has too many digits')
    }
    const step = isInteger && multiples.length === 0 ? 'integer' : divisor
    // Adds the ranges between the excluded numbers.
    for (let index = 0; index <= holes.length; index++) {
      const [below, above] = [holes[index - 1], holes[index]]
      const part = rangeOf([
        range,
        below === undefined ? {} : { least: { value: below, isOpen: true } },
        above === undefined ? {} : { most: { value: above, isOpen: true } },
      ])
      if (isEmptyRange(part)) continue
      const rule = this.#json.rule(rangeKey(part, step), (from, to) =>
        addNumberRange(this.#grammar, from, part, step, to),
      )
      this.#grammar.call(start, rule, end)
    }
  }

  #addString(start: State, alternative: Alternative, end: State): void {
    const { min, max } = writtenLengths(alternative)
    if (min > max) return
    const { budget } = this.#grammar
    const texts = alternative
      .flatMap(({ excluded }) => excluded)
      .filter((value) => typeof value === 'string')
    try {
      const automata = alternative
        .flatMap(({ pattern, format }) => [pattern, format])
        .filter((dfa) => dfa !== undefined)
      if (texts.length > 0) automata.push(complementOf(dfaOfTexts(texts, budget), budget))
      const limits = { automata: [...new Set(automata)], min, max, isPlain: false }
      this.#grammar.call(start, this.#context.strings.rule(limits), end)
    } catch (error) {
      const at = alternative.find(({ pattern, format }) => pattern ?? format)
      if (!(error instanceof PatternRefused) || at === undefined) throw error
      const keyword = at.pattern === undefined ? 'format' : 'pattern'
      throw refused(join(at.path, keyword), `is refused: ${error.message}`)
    }
  }
}

function isExcluded(alternative: Alternative, test: (value: unknown) => boolean): boolean {
  return alternative.some(({ excluded }) => excluded.some(test))
}
