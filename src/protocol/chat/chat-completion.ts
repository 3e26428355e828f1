import { Type, type Static } from 'typebox'
import { ModelId } from './model.ts'
import { ErrorReply } from '../error-reply.ts'
import { orNull } from '../nullable.ts'
import { Logprobs } from './logprobs.ts'
import { MessageToolCall } from './message.ts'
import { FinishReason, Usage } from './usage.ts'

const head = {
  id: Type.String({ description: 'The same in every chunk of a stream.' }),
  created: Type.Integer({ description: 'Unix time in seconds.' }),
  model: ModelId,
  system_fingerprint: Type.String({
    description: 'Changes with the weights, the chat template and the engine build.',
  }),
}

/** Members that a message or a delta has if the model thinks. */
const thought = {
  reasoning_content: Type.Optional(
    Type.String({
      description:
        'What the model thought before it answered. Only of a model with thoughts, and only if it had any.',
    }),
  ),
  reasoning: Type.Optional(Type.String({ description: 'Same as `reasoning_content`.' })),
}

export const ChatCompletion = Type.Object({
  ...head,
  object: Type.Literal('chat.completion'),
  choices: Type.Array(
    Type.Object({
      index: Type.Integer(),
      message: Type.Object({
        role: Type.Literal('assistant'),
        content: orNull(Type.String()),
        refusal: Type.Null(),
        ...thought,
        tool_calls: Type.Optional(Type.Array(MessageToolCall)),
      }),
      logprobs: orNull(Logprobs),
      finish_reason: FinishReason,
    }),
  ),
  usage: Usage,
})
export type ChatCompletion = Static<typeof ChatCompletion>

export const ChatCompletionChunk = Type.Object({
  ...head,
  object: Type.Literal('chat.completion.chunk'),
  choices: Type.Array(
    Type.Object({
      index: Type.Integer(),
      delta: Type.Object({
        role: Type.Optional(Type.Literal('assistant')),
        ...thought,
        content: Type.Optional(Type.String()),
        tool_calls: Type.Optional(
          Type.Array(
            Type.Object({
              index: Type.Integer({ description: 'The position of the call in the reply.' }),
              id: Type.Optional(Type.String()),
              type: Type.Optional(Type.Literal('function')),
              function: Type.Object({
                name: Type.Optional(Type.String()),
                arguments: Type.String({
                  description: 'A piece of the arguments. Join the pieces in order.',
                }),
              }),
            }),
          ),
        ),
      }),
      logprobs: orNull(Logprobs),
      finish_reason: orNull(FinishReason),
    }),
  ),
  usage: Type.Optional(orNull(Usage)),
})
export type ChatCompletionChunk = Static<typeof ChatCompletionChunk>

export const ChatCompletionFailure = Type.Object(
  {
    ...ErrorReply.properties,
    choices: Type.Array(
      Type.Object({
        index: Type.Integer(),
        delta: Type.Object({}),
        finish_reason: Type.Literal('error'),
      }),
    ),
  },
  { description: 'The last event of a stream that fails. `[DONE]` does not follow.' },
)
export type ChatCompletionFailure = Static<typeof ChatCompletionFailure>
