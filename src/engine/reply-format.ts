import { ServiceError } from '../errors.ts'
import { compileJsonObject, compileSchema } from './grammar/compile-schema.ts'
import { compileToolCalls, type ToolChoice } from './grammar/compile-tools.ts'
import { type Grammar, SchemaRefused } from './grammar/grammar.ts'
import type { Tool } from './tools.ts'

/** A format that a reply must have. `schema` is JSON text, and `at` its path in the request. */
export type ReplyFormat =
  | { readonly type: 'json_object' }
  | { readonly type: 'json_schema'; readonly schema: string; readonly at: string }
  | {
      readonly type: 'tools'
      readonly tools: readonly Tool[]
      readonly choice: ToolChoice
      /** True if a reply may contain more than one call. */
      readonly areParallel: boolean
    }

/** @throws SchemaRefused, with the path in the request */
export function compileFormat(format: ReplyFormat): Grammar {
  switch (format.type) {
    case 'json_object':
      return compileJsonObject()
    case 'json_schema':
      try {
        return compileSchema(JSON.parse(format.schema))
      } catch (error) {
        throw error instanceof SchemaRefused ? error.within(format.at) : error
      }
    case 'tools':
      return compileToolCalls(format.tools, format.choice, format.areParallel)
  }
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
