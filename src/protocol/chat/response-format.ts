import { Type } from 'typebox'
import { descriptionCharsMax } from '../../limits.ts'
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
