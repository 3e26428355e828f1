import type { SchemaCompiler } from '../grammar/compile-schema.ts'
import { SchemaRefused } from '../grammar/grammar.ts'
import type { GrammarBuilder, State } from '../grammar/grammar.ts'
import type { JsonRules } from '../grammar/json-rules.ts'
import { addMembers, addSeries, type Members, membersOf } from '../grammar/members.ts'
import { membersMaxOf, NameRegions } from '../grammar/name-regions.ts'
import type { Dfa } from '../grammar/patterns/dfa.ts'
import { compilePattern } from '../grammar/patterns/pattern.ts'
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
  readonly compiler: Pick<SchemaCompiler, 'compileParts' | 'isPossible'>
}

/** Names of a map, and the schemas of their values. */
type NamedRule = { readonly name: State; readonly schemas: readonly Located[] }

/** `hasFewNames`: the names of a map may run out. */
type FormMembers = Members & {
  readonly regions: readonly NamedRule[]
  readonly hasFewNames: boolean
}

/** The form in which the arguments of a call are written. */
type ArgumentForm = {
  readonly beforeName: string
  readonly afterName: string
  readonly betweenArguments: string
  /** Returns false for a name that would be read as something else. */
  readonly canWrite: (name: string) => boolean
  readonly addValue: (from: State, schemas: readonly Located[], to: State) => void
}

/** `path` leads to the schema that lists the text. */
export type ListedText = { readonly text: string; readonly path: string }

/** Reads the parts of a schema for a form that does not write all values as JSON. */
export class SchemaPartReader {
  readonly reader: SchemaReader
  readonly logic: SchemaLogic
  readonly #grammar: GrammarBuilder
  readonly #root: Located
  readonly #isPossible: (schemas: readonly Located[]) => boolean

  constructor({ schema, grammar, compiler }: SchemaParts) {
    this.#root = { schema, path: '' }
    this.#isPossible = (schemas) => compiler.isPossible(schemas)
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

  /** Returns undefined if no object is possible. @throws SchemaRefused */
  membersOf(alternative: Alternative): FormMembers | undefined {
    const members = membersOf(alternative, this.#grammar, this.logic)
    if (members === undefined) return undefined
    if (!members.isMap) return { ...members, regions: [], hasFewNames: false }
    const { budget } = this.#grammar
    const all = new NameRegions(alternative, budget, this.logic)
    const isAny = alternative.every(
      ({ forbidden, patternProperties, propertyNames }) =>
        forbidden.length === 0 && patternProperties.length === 0 && propertyNames === undefined,
    )
    const found = all.read(isAny ? undefined : compilePattern(bareNames, budget))
    return {
      ...members,
      hasFewNames: !isAny,
      max: membersMaxOf(found, members.max, this.#isPossible, budget),
      regions: found.map(({ names, schemas }) => ({
        name: names === undefined ? addBareName(this.#grammar) : addNames(this.#grammar, names),
        schemas,
      })),
    }
  }

  memberOf(alternative: Alternative, name: string): readonly Located[] {
    return memberOf(alternative, name, this.#grammar.budget)
  }

  /** Adds the arguments of a call. @throws SchemaRefused */
  addArguments(from: State, form: ArgumentForm, to: State): void {
    for (const alternative of this.argumentsObject())
      for (const end of this.#addArgumentsOf(alternative, from, form)) this.#grammar.skip(end, to)
  }

  #addArgumentsOf(alternative: Alternative, from: State, form: ArgumentForm): readonly State[] {
    const grammar = this.#grammar
    const { beforeName, afterName, betweenArguments, canWrite, addValue } = form
    const members = this.membersOf(alternative)
    if (members === undefined) return []
    const separate = (state: State): State => grammar.text(state, betweenArguments)
    if (members.isMap)
      return addSeries(grammar, from, members, {
        separate,
        part: (open, next) => {
          for (const { name, schemas } of members.regions) {
            const named = grammar.state()
            grammar.key(grammar.text(open, beforeName), name, named, members.hasFewNames)
            addValue(grammar.text(named, afterName), schemas, next)
          }
        },
      })
    return addMembers(grammar, from, members, {
      separate,
      member: (name) => {
        if (!canWrite(name)) throw nameRefused(name)
        const schemas = this.memberOf(alternative, name)
        const text = beforeName + name + afterName
        return (open, next) => addValue(grammar.text(open, text), schemas, next)
      },
    })
  }
}

/** Returns the path of the schema that lists the values. */
export function pathOfValues(alternative: Alternative): string {
  return alternative.find(({ values }) => values !== undefined)?.path ?? ''
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

/** @throws SchemaRefused if `end`, which is written after a text of the schema's list, would be read within the text */
export function requireReadable({ text, path }: ListedText, end: string): void {
  if ((text + end).indexOf(end) < text.length)
    throw new SchemaRefused(
      path,
      'A listed text contains what ends a text in the form in which this model calls tools.',
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
const bareNames = '^[-.0-9A-Z_a-z]+$'

/** Adds the names of an automaton, all of them bare, and returns the rule. */
function addNames(grammar: GrammarBuilder, names: Dfa): State {
  const states = names.map(() => grammar.state())
  for (const [index, { accepts, moves }] of names.entries()) {
    const state = states[index] ?? 0
    if (accepts) grammar.end(state)
    for (const { first, last, to } of moves) grammar.bytes(state, first, last, states[to] ?? state)
  }
  return states[0] ?? grammar.state()
}
