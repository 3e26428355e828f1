import { Type, type Static } from 'typebox'
import { ChatCompletionRequest } from '../chat/chat-request.ts'
import { nullable } from '../nullable.ts'
import { ModelId } from '../chat/model.ts'
import { errorsOfEngines } from './chat.ts'
import { documented } from './contract.ts'

const text = nullable('string', {
  description: 'A text to tokenise as it is, without the chat template.',
})

/** The fields of a request with a text instead of messages; all others are ignored. */
export const TokenizeText = Type.Object({ model: Type.Optional(ModelId), text })

export const TokenizeRequest = Type.Object({
  ...ChatCompletionRequest.properties,
  ...TokenizeText.properties,
  messages: Type.Optional(ChatCompletionRequest.properties.messages),
})
export type TokenizeRequest = Static<typeof TokenizeRequest>

export const TokenList = Type.Object({
  object: Type.Literal('tokens'),
  model: ModelId,
  count: Type.Integer(),
  tokens: Type.Array(
    Type.Object({
      id: Type.Integer({ description: 'The id, for example for `logit_bias`.' }),
      text: Type.String({
        description:
          'The text, with U+FFFD for a part of a character; the name of a special token.',
      }),
      bytes: Type.Array(Type.Integer(), {
        description: 'The exact bytes of the text in UTF-8. A special token has none.',
      }),
    }),
  ),
})
export type TokenList = Static<typeof TokenList>

export const tokenize = documented({
  method: 'POST',
  path: '/v1/tokenize',
  body: TokenizeRequest,
  operationId: 'tokenize',
  summary: 'List the tokens of a text or a conversation',
  description:
    'Takes a `text`, or the `messages` and `tools` of a completion, which it renders in the chat template. ' +
    'Generates nothing. Counts as one request against the limits of the key, and uses no tokens.',
  replies: {
    200: {
      description: 'The tokens in their order.',
      content: { 'application/json': TokenList },
      headers: ['x-ignored-parameters'],
    },
  },
  errors: [
    'unsupported_parameter',
    'unsupported_value',
    'context_length_exceeded',
    ...errorsOfEngines,
    'rate_limit_exceeded',
    'insufficient_quota',
  ],
})
