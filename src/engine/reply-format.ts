import { ServiceError } from '../errors.ts'
import { parseInOrder } from '../json-order.ts'
import type { Dialect, ThoughtState } from './dialect/dialect.ts'
import type { ReadingOptions } from './dialect/reply-reader.ts'
import { compileChoice, compileJsonObject, compileSchema } from './grammar/compile-schema.ts'
import { compileToolCalls, type FinalFormat, type ToolChoice } from './tool-forms/compile-tools.ts'
import { Budget, type Grammar, SchemaRefused } from './grammar/grammar.ts'
import { noEnd, type StopEnd } from './stop-matcher.ts'
import { toolFormOf } from './tool-forms/detect-tool-form.ts'
import { isCallAtStart, openingsOf, type ToolForm } from './tool-forms/tool-form.ts'
import type { Tool } from './tools.ts'

export type { FinalFormat } from './tool-forms/compile-tools.ts'

/** Format that a reply must have. `schema` is JSON text, and `at` is its path in the request. */
export type ReplyFormat =
  | FinalFormat
  | {
      readonly type: 'tools'
      readonly tools: readonly Tool[]
      readonly choice: ToolChoice
      /** True if a reply may contain more than one call. */
      readonly areParallel: boolean
      /** If set, a reply without calls must have this format when the choice is `auto`. */
      readonly final?: FinalFormat | undefined
    }

/** @throws SchemaRefused, with the path in the request */
export function compileFormat(format: ReplyFormat, form: ToolForm, budget = new Budget()): Grammar {
  switch (format.type) {
    case 'json_object':
      return compileJsonObject(budget)
    case 'json_schema':
      try {
        return compileSchema(parseInOrder(format.schema), budget)
      } catch (error) {
        throw error instanceof SchemaRefused ? error.within(format.at) : error
      }
    case 'choice':
      return compileChoice(format.texts, budget)
    case 'tools':
      return compileToolCalls(format, form, budget)
  }
}

/** Returns how to read a reply in this format. `thought` is the state of the reply where its prompt ends. */
export function readingOf(
  { reasoning, toolForm }: Dialect,
  format: ReplyFormat | undefined,
  thought: ThoughtState | undefined,
): ReadingOptions {
  return {
    reasoning,
    thought,
    until: callMarks(format, toolFormOf(toolForm)),
    isFormatted: format !== undefined && format.type !== 'tools',
    readsCalls: format?.type === 'tools',
  }
}

/**
 * Returns the texts from which on a reply in this format consists of tool calls, in which stop sequences have no effect.
 * Without calls, there are none.
 */
function callMarks(format: ReplyFormat | undefined, form: ToolForm): StopEnd {
  if (format?.type !== 'tools') return noEnd
  if (format.choice !== 'auto') return { texts: [''], isAtStart: true }
  // With a lead, a text may begin like a call.
  if (form.lead !== undefined) return noEnd
  return { texts: openingsOf(form), isAtStart: isCallAtStart(form, format.final !== undefined) }
}

/** Returns the error to send to the caller. */
export function schemaError({
  path,
  message,
}: Pick<SchemaRefused, 'path' | 'message'>): ServiceError {
  return new ServiceError('unsupported_value', `The JSON Schema cannot be enforced: ${message}`, {
    param: path,
  })
}
