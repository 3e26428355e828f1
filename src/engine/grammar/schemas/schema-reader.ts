import { schemaNodesMax } from '../../../limits.ts'
import { type Budget, SchemaRefused } from '../grammar.ts'
import { type Dfa, PatternRefused } from '../patterns/dfa.ts'
import { numberFormats, patternOfFormat } from '../patterns/formats.ts'
import { compilePattern } from '../patterns/pattern.ts'
import { type Facts, freeFacts, type Located } from './facts.ts'
import { canonical, isObject, readProperties } from './keyword-values.ts'
import { combineKeywords, plainKeywords } from './keywords.ts'
import { References } from './references.ts'
import { invalid, join, refused } from './schema-errors.ts'

/** Constraining keywords of draft 3. Later drafts do not know them, so they have no effect there. */
const draft3Keywords = new Set(['extends', 'disallow', 'divisibleBy'])

type ReaderOptions = {
  /** False reads no `pattern` and no `format` of strings, as if the schema had none. */
  readonly readsTexts?: boolean
  /** Automata by their pattern, which this reader uses and adds to. */
  readonly automata?: Map<string, Dfa>
}

/**
 * Reads the keywords of each schema object once. Unknown keywords are annotations, as the JSON Schema specification
 * says. Constraining keywords that cannot be enforced are refused by name.
 */
export class SchemaReader {
  readonly budget: Budget
  readonly #references: References
  readonly #isDraft3: boolean
  readonly #readsTexts: boolean
  readonly #read = new Map<object, Facts>()
  #made = 0
  readonly #automata: Map<string, Dfa>

  constructor(root: unknown, budget: Budget, options: ReaderOptions = {}) {
    this.#readsTexts = options.readsTexts ?? true
    this.#automata = options.automata ?? new Map()
    this.budget = budget
    this.#references = new References(root, budget)
    const draft = isObject(root) ? root['$schema'] : undefined
    this.#isDraft3 = typeof draft === 'string' && draft.includes('draft-03')
  }

  /** Returns undefined for the schema `true` and null for `false`. */
  read({ schema, path }: Located): Facts | undefined | null {
    if (schema === true) return undefined
    if (schema === false) return null
    if (!isObject(schema)) throw invalid(path, 'a schema must be an object or a boolean')
    const known = this.#read.get(schema)
    if (known !== undefined) return known
    const facts = this.make(path)
    this.#read.set(schema, facts)
    const keywords = Object.entries(schema)
    this.budget.spend(keywords.length)
    for (const [keyword, value] of keywords) {
      if (value !== undefined) this.#readKeyword(facts, keyword, value, schema)
    }
    combineKeywords(facts, schema)
    this.budget.spend((facts.required.length + facts.properties.size) / 4)
    if (facts.values !== undefined) {
      facts.texts = new Set(facts.values.map(canonical))
      for (const text of facts.texts) this.budget.spend(1 + text.length / 10)
    }
    return facts
  }

  /** Returns facts that constrain nothing yet. */
  make(path: string): Facts {
    if (this.#made >= schemaNodesMax)
      throw new SchemaRefused('', `The schema has more than ${schemaNodesMax} subschemas.`)
    this.budget.spend(10)
    this.#made += 1
    return freeFacts(this.#made - 1, path)
  }

  #readKeyword(facts: Facts, keyword: string, value: unknown, schema: object): void {
    const path = join(facts.path, keyword)
    switch (keyword) {
      case 'pattern':
        if (this.#readsTexts) facts.pattern = this.#readPattern(value, path)
        return
      case 'format':
        this.#readFormat(facts, value, schema, path)
        return
      case 'patternProperties':
        facts.patternProperties = [...readProperties(value, path)].map(([pattern, of]) => ({
          dfa: this.#readPattern(pattern, of.path),
          schema: of,
        }))
        return
      case '$dynamicRef':
      case '$recursiveRef':
        if (this.#references.hasResources)
          throw refused(path, 'is supported only where no subschema has an `$id`')
        facts.references = [...facts.references, this.#references.resolve(value, schema, path)]
        return
      case '$ref':
        facts.references = [...facts.references, this.#references.resolve(value, schema, path)]
        return
    }
    if (this.#isDraft3 && draft3Keywords.has(keyword)) throw refused(path, 'is not supported')
    plainKeywords.get(keyword)?.(facts, value, path)
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

  /** Reads a format. An unknown format is an annotation. */
  #readFormat(facts: Facts, value: unknown, schema: object, path: string): void {
    if (typeof value !== 'string') throw invalid(path, 'it must be a string')
    const pattern = patternOfFormat(value, schema)
    if (pattern !== undefined && this.#readsTexts) facts.format = this.#automaton(pattern)
    const numbers = numberFormats.get(value)
    if (numbers !== undefined) facts.numberFormat = numbers
  }

  #automaton(pattern: string): Dfa {
    const known = this.#automata.get(pattern)
    if (known !== undefined) return known
    const dfa = compilePattern(pattern, this.budget)
    this.#automata.set(pattern, dfa)
    return dfa
  }
}
