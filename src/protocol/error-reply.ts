import { Type, type Static } from 'typebox'
import { orNull } from './or-null.ts'

/** Every failure, whatever its status. */
export const ErrorReply = Type.Object({
  error: Type.Object({
    message: Type.String({ description: 'What is wrong and what to do, for people.' }),
    type: Type.String(),
    param: orNull(Type.String({ description: 'Where it is, for example `messages[0].content`.' })),
    code: orNull(Type.String({ description: 'For programs; see the table of errors.' })),
  }),
})
export type ErrorReply = Static<typeof ErrorReply>
