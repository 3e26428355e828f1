import { Type, type Static } from 'typebox'
import { chatParameters } from '../../chat-parameters.ts'
import { contentPartsMax, toolCallIdCharsMax } from '../../limits.ts'
import { functionName } from './function-tool.ts'
import { nullable, nullableArray } from '../nullable.ts'

/** `developer` means the same as `system`: clients send it to models with such a name as `svc-o1-mini`. */
const roles = ['system', 'developer', 'user', 'assistant', 'tool'] as const
type Role = (typeof roles)[number]

export const TextPart = Type.Object({
  type: Type.Unsafe<'text'>({ type: 'string', enum: ['text'] }),
  text: Type.String(),
})
export type TextPart = Static<typeof TextPart>

export const MessageToolCall = Type.Object({
  id: Type.String({ minLength: 1, maxLength: toolCallIdCharsMax }),
  type: Type.Unsafe<'function'>({ type: 'string', enum: ['function'] }),
  function: Type.Object({
    name: Type.String(functionName),
    arguments: Type.String({ description: 'A JSON object as text.' }),
  }),
})
export type MessageToolCall = Static<typeof MessageToolCall>

/**
 * Requires content or tool calls. Ajv reports the first alternative that fails, so for a message with neither, it
 * reports that `content` is missing.
 */
const hasContentOrCalls = {
  anyOf: [
    { required: ['content'] },
    {
      properties: { role: { const: 'assistant' }, tool_calls: { type: 'array', minItems: 1 } },
      required: ['tool_calls'],
    },
  ],
}

export const Message = Type.Object(
  {
    role: Type.Unsafe<Role>({ type: 'string', enum: [...roles] }),
    content: Type.Optional(
      Type.Unsafe<string | TextPart[] | null>({
        type: ['string', 'array', 'null'],
        items: TextPart,
        maxItems: contentPartsMax,
        description:
          'The text, or a list of text parts, which are joined in order. Required, except for an assistant message with tool calls.',
      }),
    ),
    reasoning_content: nullable('string', {
      description:
        'Assistant messages only: the thoughts before the message, as a reply had them. The chat template decides which of them the model reads again.',
    }),
    reasoning: nullable('string', { description: 'Same as `reasoning_content`.' }),
    tool_calls: nullableArray(MessageToolCall, {
      maxItems: chatParameters.tools.maxItems,
      description: 'Assistant messages only: the calls of tools.',
    }),
    tool_call_id: nullable('string', {
      maxLength: toolCallIdCharsMax,
      description:
        'Tool messages only: the id of the call that this is the result of. An earlier message must hold that call.',
    }),
  },
  hasContentOrCalls,
)
export type Message = Static<typeof Message>
