import type { GrammarBuilder, State } from '../grammar/grammar.ts'
import type { Located } from '../grammar/schemas/facts.ts'
import { type Alternative, typesOf } from '../grammar/schemas/schema-values.ts'
import { addCharacters } from './free-text.ts'
import { SchemaPartReader, type SchemaParts } from './schema-parts.ts'

/**
 * Adds the arguments of a call as Python keyword arguments. Values are JSON that is valid against the schema. An
 * argument may also be `True`, `False` or `None`, or a single-quoted string if the schema does not limit strings.
 */
export class PythonArguments {
  readonly #parts: SchemaParts
  readonly #schema: SchemaPartReader
  #freeText: State | undefined

  constructor(parts: SchemaParts) {
    this.#parts = parts
    this.#schema = new SchemaPartReader(parts)
  }

  /** @throws SchemaRefused */
  add(from: State, to: State): void {
    const form = {
      beforeName: '',
      afterName: '=',
      betweenArguments: ', ',
      canWrite: (name: string) => /^[^\s=,()'"]+$/.test(name),
      addValue: this.#addValue.bind(this),
    }
    this.#schema.addArguments(from, form, to)
  }

  #addValue(from: State, schemas: readonly Located[], to: State): void {
    const { grammar, compiler } = this.#parts
    grammar.call(from, compiler.compileParts(schemas), to)
    const words = new Set<string>()
    for (const alternative of this.#schema.logic.alternatives(schemas)) {
      const values = this.#schema.logic.values(alternative)
      for (const value of values ?? []) if (isWord(value)) words.add(pythonText(value))
      if (values !== undefined || alternative.some(({ excluded }) => excluded.length > 0)) continue
      const types = typesOf(alternative)
      if (types.includes('boolean')) words.add('True').add('False')
      if (types.includes('null')) words.add('None')
      if (types.includes('string') && alternative.every(hasAnyText))
        grammar.call(from, this.#textRule(), to)
    }
    if (words.size > 0) grammar.anyText(from, [...words], to)
  }

  #textRule(): State {
    this.#freeText ??= addQuotedText(this.#parts.grammar)
    return this.#freeText
  }
}

/** Writes the members of a JSON object as Python keyword arguments. */
export function pythonArguments(members: readonly (readonly [string, unknown])[]): string {
  return members.map(([name, value]) => `${name}=${pythonText(value)}`).join(', ')
}

function pythonText(value: unknown): string {
  if (value === true) return 'True'
  if (value === false) return 'False'
  return value === null ? 'None' : JSON.stringify(value)
}

function isWord(value: unknown): boolean {
  return typeof value === 'boolean' || value === null
}

function hasAnyText({ minLength, maxLength, pattern, format }: Alternative[number]): boolean {
  return minLength === 0 && maxLength === Infinity && pattern === undefined && format === undefined
}

/** Adds a string between single quotes, and returns the rule. */
function addQuotedText(grammar: GrammarBuilder): State {
  const [start, escape, end] = [grammar.state(), grammar.state(), grammar.state()]
  grammar.end(end)
  const inside = grammar.text(start, "'")
  addCharacters(grammar, inside, "'\\")
  grammar.text(inside, "'", end)
  grammar.text(inside, '\\', escape)
  grammar.anyText(escape, ["'", '"', '\\', 'n', 't', 'r'], inside)
  return start
}
