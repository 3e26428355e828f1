import type { GrammarBuilder, State } from './grammar.ts'
import type { JsonRules } from './json-rules.ts'
import type { Located } from './schemas/facts.ts'
import type { SchemaLogic } from './schemas/schema-logic.ts'
import type { StringRules } from './string-rules.ts'

/** The parts that the rules of one schema share. */
export type RuleContext = {
  readonly grammar: GrammarBuilder
  readonly json: JsonRules
  readonly strings: StringRules
  readonly logic: SchemaLogic
  /** Returns the rule of the values that are valid against all of the schemas. */
  readonly rule: (schemas: readonly Located[]) => State
  /** Returns true if the grammar has a value that is valid against all of the schemas. */
  readonly isPossible: (schemas: readonly Located[]) => boolean
}
