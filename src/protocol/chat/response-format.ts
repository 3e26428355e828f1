import { Type } from 'typebox'
import { chatParameters } from '../../chat-parameters.ts'
import { schemaDescriptionCharsMax } from '../../limits.ts'
import { nullable, nullableArray, nullableAs, nullableObject } from '../nullable.ts'

const schema = Type.Unsafe<object | boolean>({ type: ['object', 'boolean'] })

export const ResponseFormat = Type.Object({
  type: Type.Unsafe<'text' | 'json_object' | 'json_schema'>({
    type: 'string',
    enum: ['text', 'json_object', 'json_schema'],
  }),
  json_schema: nullableObject(
    Type.Object({
      name: Type.String({ pattern: '^[a-zA-Z0-9_-]{1,64}$' }),
      description: nullable('string', { maxLength: schemaDescriptionCharsMax }),
      schema,
      strict: nullable('boolean', {
        description: 'Without effect: a schema is always enforced, or refused if it cannot be.',
      }),
    }),
  ),
  schema: nullableAs<object | boolean>(['object', 'boolean'], {
    description: 'As some clients send it: same as `json_schema.schema`.',
  }),
})

const anySchema = (description: string) =>
  nullableAs<object | boolean | string>(chatParameters.guided_json.type, { description })
const texts = (description: string) =>
  nullableArray(Type.String({ minLength: 1 }), {
    maxItems: chatParameters.guided_choice.maxItems,
    description,
  })
const sameAsSchema = 'Same as a `response_format` with this JSON Schema, which may be a JSON text.'

const oneOfTexts =
  'The reply is one of these texts. Beside `tools`, a text that would be read as a call is refused.'

const StructuredOutputs = Type.Object({
  json: anySchema(sameAsSchema),
  json_object: nullable('boolean', { description: 'The reply is a JSON object.' }),
  choice: texts(oneOfTexts),
})

/** Parameters of other services for the reply's format, and `complete_json`. */
export const otherFormats = {
  structured_outputs: nullableObject(StructuredOutputs),
  guided_json: anySchema(sameAsSchema),
  json_schema: anySchema(sameAsSchema),
  guided_choice: texts(oneOfTexts),
  complete_json: nullable('boolean', {
    default: chatParameters.complete_json.default,
    description:
      'Completes the JSON of a reply within `max_tokens`: near the limit, only tokens are sampled after which it ' +
      'can still be closed. `false` cuts it. The finish reason is `length` in both cases. A `max_tokens` that is ' +
      'certainly too small for the format is refused.',
  }),
}
