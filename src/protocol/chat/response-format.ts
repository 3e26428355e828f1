import { Type, type Static } from 'typebox'
import { choiceTextsMax, descriptionCharsMax } from '../../limits.ts'
import { nullable } from './nullable.ts'

const schema = Type.Unsafe<object | boolean>({ type: ['object', 'boolean'] })

export const ResponseFormat = Type.Object({
  type: Type.Unsafe<'text' | 'json_object' | 'json_schema'>({
    type: 'string',
    enum: ['text', 'json_object', 'json_schema'],
  }),
  json_schema: Type.Optional(
    Type.Object({
      name: Type.String({ pattern: '^[a-zA-Z0-9_-]{1,64}$' }),
      description: nullable<string>('string', { maxLength: descriptionCharsMax }),
      schema,
      strict: nullable<boolean>('boolean', {
        description: 'Without effect: a schema is always enforced, or refused if it cannot be.',
      }),
    }),
  ),
  schema: Type.Optional(
    Type.Unsafe<object | boolean>({
      ...schema,
      description: 'For `json_object`, as some clients send it: same as `json_schema.schema`.',
    }),
  ),
})

const anySchema = (description: string) =>
  Type.Optional(
    Type.Unsafe<object | boolean | string | null>({
      type: ['object', 'boolean', 'string', 'null'],
      description,
    }),
  )
const texts = (description: string) =>
  nullable<string[]>('array', {
    items: { type: 'string', minLength: 1 },
    maxItems: choiceTextsMax,
    description,
  })
const sameAsSchema = 'Same as a `response_format` with this JSON Schema, which may be a JSON text.'

const StructuredOutputs = Type.Object({
  json: anySchema(sameAsSchema),
  json_object: nullable<boolean>('boolean', { description: 'The reply is a JSON object.' }),
  choice: texts('The reply is one of these texts.'),
})

/** Other names that services of the field have for a format of the reply. */
export const otherFormats = {
  structured_outputs: nullable<Static<typeof StructuredOutputs>>('object', {
    ...StructuredOutputs,
    type: ['object', 'null'],
  }),
  guided_json: anySchema(sameAsSchema),
  json_schema: anySchema(sameAsSchema),
  guided_choice: texts('The reply is one of these texts.'),
}
