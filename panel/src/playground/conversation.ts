import { chatParameters } from '../../../src/chat-parameters.ts'
import type { ChatCompletionRequest } from '../../../src/protocol/chat/chat-request.ts'
import { modelId } from '../../../src/protocol/chat/model-id.ts'
import type { Parameters } from './settings.ts'
import type { ToolCall } from './tools/tool-calls.ts'

export const messageRoles = ['user', 'assistant', 'system', 'tool'] as const
export type MessageRole = (typeof messageRoles)[number]
/** A message; `id` is only the React key. */
export type Message = Readonly<{
  id: string
  role: MessageRole
  content: string
  /** The tools that an assistant message calls. */
  toolCalls?: readonly ToolCall[]
  /** Id of the tool call whose result the message contains. */
  toolCallId?: string
}>
export type Conversation = Readonly<{ system: string; messages: readonly Message[] }>

/** One less than a request can have, because the system prompt is a message too. */
export const messagesMax = chatParameters.messages.maxItems - 1

export function newMessage(role: MessageRole, content: string): Message {
  return { id: Math.random().toString(36).slice(2), role, content }
}

/** Swaps a message with the one above or below it, if it has such a neighbour. */
export function moveMessage(
  messages: readonly Message[],
  index: number,
  by: 1 | -1,
): readonly Message[] {
  const moved = messages[index]
  const other = messages[index + by]
  if (moved === undefined || other === undefined) return messages
  return messages.map((message, i) => (i === index ? other : i === index + by ? moved : message))
}

export function toRequest(
  { system, messages }: Conversation,
  parameters: Parameters,
): ChatCompletionRequest {
  const conversation = messages.map(toWire)
  return {
    model: modelId,
    messages: system === '' ? conversation : [{ role: 'system', content: system }, ...conversation],
    ...parameters,
  }
}

function toWire({ role, content, toolCalls = [], toolCallId }: Message): WireMessage {
  if (role === 'tool' && toolCallId !== undefined)
    return { role, content, tool_call_id: toolCallId }
  if (role !== 'assistant' || toolCalls.length === 0) return { role, content }
  return {
    role,
    content: content === '' ? null : content,
    tool_calls: toolCalls.map(({ id, name, args }) => ({
      id,
      type: 'function',
      function: { name, arguments: args },
    })),
  }
}

type WireMessage = ChatCompletionRequest['messages'][number]
