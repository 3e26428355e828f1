import { Type, type Static } from 'typebox'
import { contentPartsMax, toolCallIdCharsMax, toolsMax } from '../../limits.ts'
import { functionName } from './function-tool.ts'
import { nullable } from './nullable.ts'

export const roles = ['system', 'user', 'assistant', 'tool'] as const
export type Role = (typeof roles)[number]

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
    arguments: Type.String({ description: 'The text of a JSON object.' }),
  }),
})
export type MessageToolCall = Static<typeof MessageToolCall>

export const Message = Type.Object({
  role: Type.Unsafe<Role>({ type: 'string', enum: [...roles] }),
  content: Type.Optional(
    Type.Unsafe<string | TextPart[] | null>({
      type: ['string', 'array', 'null'],
      items: TextPart,
      maxItems: contentPartsMax,
      description:
        'The text, or a list of text parts that are joined in order. Required, but for an assistant that calls tools.',
    }),
  ),
  tool_calls: nullable<MessageToolCall[]>('array', {
    items: MessageToolCall,
    maxItems: toolsMax,
    description: 'Of the assistant: the tools it called.',
  }),
  tool_call_id: nullable<string>('string', {
    maxLength: toolCallIdCharsMax,
    description: 'Of a tool: the call that this is the result of. An earlier message must have it.',
  }),
})
export type Message = Static<typeof Message>
