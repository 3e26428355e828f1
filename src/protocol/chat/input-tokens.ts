import { Type, type Static } from 'typebox'
import { LimitStates } from '../key.ts'

/** What a completion of the same body would meet. */
export const InputTokens = Type.Object({
  object: Type.Literal('chat.completion.input_tokens'),
  model: Type.String(),
  input_tokens: Type.Integer({
    description: 'Of the messages, in the chat template of the model.',
  }),
  fits: Type.Boolean({ description: 'Whether the context has room for at least one more token.' }),
  context_length: Type.Integer({ description: 'Prompt and reply together.' }),
  tokens_left: Type.Integer({ description: 'What the context has left for a reply.' }),
  max_tokens: Type.Integer({
    description: 'What would apply to each choice: what was asked for, or what is left.',
  }),
  estimated_wait_ms: Type.Integer({
    description: 'Until its slots would be free; 0 when they are.',
  }),
  limits: LimitStates,
  account_limits: LimitStates,
})
export type InputTokens = Static<typeof InputTokens>
