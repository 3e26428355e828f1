import { Type, type Static } from 'typebox'
import { orNull } from './nullable.ts'

/** The body of every error, whatever its status. */
export const ErrorReply = Type.Object({
  error: Type.Object({
    message: Type.String({ description: 'What is wrong and what to do, for people.' }),
    type: Type.String(),
    param: orNull(
      Type.String({ description: 'The field at fault, for example `messages[0].content`.' }),
    ),
    code: orNull(Type.String({ description: 'The error code, for programs.' })),
  }),
})
export type ErrorReply = Static<typeof ErrorReply>
