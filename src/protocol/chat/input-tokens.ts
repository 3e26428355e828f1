import { Type, type Static } from 'typebox'
import { LimitStates } from '../key.ts'
import { ModelId } from './model.ts'

/** Token counts and limits that apply to a completion with the same body. */
export const InputTokens = Type.Object({
  object: Type.Literal('chat.completion.input_tokens'),
  model: ModelId,
  input_tokens: Type.Integer({
    description: 'Tokens of the messages in the chat template of the model.',
  }),
  fits: Type.Boolean({
    description: 'True if the context window has room for at least one more token.',
  }),
  context_length: Type.Integer({ description: 'The context window: prompt and reply together.' }),
  tokens_left: Type.Integer({ description: 'Tokens left for the reply.' }),
  max_tokens: Type.Integer({
    description: 'The limit for each choice: the requested one, or the tokens left.',
  }),
  estimated_wait_ms: Type.Integer({
    description: 'Estimated time until enough slots are free. 0: they are free now.',
  }),
  limits: LimitStates,
  account_limits: LimitStates,
})
export type InputTokens = Static<typeof InputTokens>
