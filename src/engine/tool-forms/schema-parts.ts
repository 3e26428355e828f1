import { SchemaRefused } from '../grammar/grammar.ts'
import type { GrammarBuilder, State } from '../grammar/grammar.ts'
import type { JsonRules } from '../grammar/json-rules.ts'
import type { Located, Type } from '../grammar/schemas/facts.ts'
import { SchemaLogic } from '../grammar/schemas/schema-logic.ts'
import { SchemaReader } from '../grammar/schemas/schema-reader.ts'
import { type Alternative, memberOf, typesOf } from '../grammar/schemas/schema-values.ts'

/** A tool's schema, and the builders of its grammar. */
export type SchemaParts = {
  readonly schema: unknown
  readonly grammar: GrammarBuilder
  readonly json: JsonRules
  /** Builds the rules of values that are written as JSON. */
  readonly compiler: { compileParts(schemas: readonly Located[]): State }
}

/** The members of an object: listed names, or any names with values that are valid against `free`. */
type Members = {
  readonly names: readonly string[]
  readonly required: ReadonlySet<string>
  readonly free: readonly Located[] | undefined
}

/** Reads the parts of a schema for a form that does not write all values as JSON. */
export class SchemaPartReader {
  readonly reader: SchemaReader
  readonly logic: SchemaLogic
  readonly #grammar: GrammarBuilder
  readonly #root: Located

  constructor({ schema, grammar }: SchemaParts) {
    this.#root = { schema, path: '' }
    this.#grammar = grammar
    this.reader = new SchemaReader(schema, grammar.budget)
    this.logic = new SchemaLogic(this.reader)
  }

  /** Returns the alternatives of the arguments of a tool. @throws SchemaRefused */
  argumentsObject(): readonly Alternative[] {
    const all = this.logic.alternatives([this.#root, typed(['object'])])
    const possible = all.filter((alternative) => typesOf(alternative).includes('object'))
    if (possible.some((alternative) => this.logic.values(alternative) !== undefined))
      throw new SchemaRefused('enum', 'A list of whole objects is not supported for this model.')
    return possible
  }

  /** Returns undefined if a required name is forbidden, so that no object is possible. */
  membersOf(alternative: Alternative): Members | undefined {
    const required = new Set(alternative.flatMap((facts) => facts.required))
    const listed = alternative.flatMap(({ properties }) => [...properties.keys()])
    const forbidden = new Set(alternative.flatMap((facts) => facts.forbidden))
    const names = [...new Set([...listed, ...required])].filter((name) => !forbidden.has(name))
    this.#grammar.budget.spend(1 + listed.length + required.size)
    if ([...required].some((name) => forbidden.has(name))) return undefined
    const schemas = alternative.flatMap(({ additional }) => additional ?? [])
    const isFree = schemas.length > 0 || !alternative.some(({ declares }) => declares)
    return { names, required, free: names.length === 0 && isFree ? schemas : undefined }
  }

  memberOf(alternative: Alternative, name: string): readonly Located[] {
    return memberOf(alternative, name, this.#grammar.budget)
  }
}

/** Returns a schema of values of these types. */
export function typed(types: readonly Type[]): Located {
  return { schema: { type: types }, path: '' }
}

/** Returns the error for a property whose name would be read as something else in the form of the model. */
export function nameRefused(name: string): SchemaRefused {
  return new SchemaRefused(
    'properties',
    `The name ${JSON.stringify(name)} cannot be written in the form in which this model calls tools.`,
  )
}

/** Adds bare names of letters, digits, `_`, `-` and `.`, and returns the rule. */
export function addBareName(grammar: GrammarBuilder): State {
  const [start, end] = [grammar.state(), grammar.state()]
  grammar.end(end)
  for (const from of [start, end])
    for (const [first, last] of nameRanges) grammar.bytes(from, first, last, end)
  return start
}

const nameRanges = [
  [0x2d, 0x2e],
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
] as const
