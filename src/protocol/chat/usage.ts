import { Type, type Static } from 'typebox'

export const finishReasons = ['stop', 'length', 'tool_calls'] as const
export const FinishReason = Type.Unsafe<(typeof finishReasons)[number]>({
  type: 'string',
  enum: [...finishReasons],
  description:
    '`stop`: the reply is complete. `length`: `max_tokens` is reached or the context window is full. `tool_calls`: the reply ends with a call.',
})
export type FinishReason = Static<typeof FinishReason>

export const Usage = Type.Object({
  prompt_tokens: Type.Integer(),
  completion_tokens: Type.Integer({ description: 'All sampled tokens of all choices.' }),
  total_tokens: Type.Integer(),
  prompt_tokens_details: Type.Object({
    cached_tokens: Type.Integer({ description: 'Prompt tokens found in the KV cache.' }),
  }),
  completion_tokens_details: Type.Optional(
    Type.Object({
      reasoning_tokens: Type.Integer({
        description:
          'Completion tokens of thoughts and of the marks around them. Only for a model with thoughts.',
      }),
    }),
  ),
})
export type Usage = Static<typeof Usage>
