import { Type } from 'typebox'
import { toolDescriptionCharsMax } from '../../limits.ts'
import { nullable, nullableAs } from '../nullable.ts'

export const functionName = { pattern: '^[a-zA-Z0-9_-]{1,64}$' }

export const FunctionTool = Type.Object({
  type: Type.Unsafe<'function'>({ type: 'string', enum: ['function'] }),
  function: Type.Object({
    name: Type.String(functionName),
    description: nullable('string', { maxLength: toolDescriptionCharsMax }),
    parameters: nullableAs<object>('object', {
      description: 'JSON Schema of the arguments. Without it the function has none.',
    }),
    strict: nullable('boolean', {
      description: 'Without effect: a schema is always enforced, or refused if it cannot be.',
    }),
  }),
})

export const NamedToolChoice = Type.Object({
  type: Type.Unsafe<'function'>({ type: 'string', enum: ['function'] }),
  function: Type.Object({ name: Type.String() }),
})
