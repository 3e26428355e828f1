import { ServiceError } from '../errors.ts'
import { compileJsonObject, compileSchema } from './grammar/compile-schema.ts'
import type { Grammar, SchemaRefused } from './grammar/grammar.ts'

/** What a reply has to be; `schema` is JSON text. */
export type ReplyFormat =
  | { readonly type: 'json_object' }
  | { readonly type: 'json_schema'; readonly schema: string }

/** @throws SchemaRefused */
export function compileFormat(format: ReplyFormat): Grammar {
  switch (format.type) {
    case 'json_object':
      return compileJsonObject()
    case 'json_schema':
      return compileSchema(JSON.parse(format.schema))
  }
}

/** As the caller is told. */
export function schemaError({
  path,
  message,
}: Pick<SchemaRefused, 'path' | 'message'>): ServiceError {
  const param = ['response_format.json_schema.schema', path].filter((part) => part !== '').join('.')
  return new ServiceError('unsupported_value', `The JSON Schema cannot be enforced: ${message}`, {
    param,
  })
}
