import type { ChatCompletionRequest } from '../../../src/protocol/chat/chat-request.ts'
import type { Parameters } from './settings.ts'

export const messageRoles = ['user', 'assistant', 'system'] as const
export type MessageRole = (typeof messageRoles)[number]
/** `id` only tells it apart on the page. */
export type Message = Readonly<{ id: string; role: MessageRole; content: string }>
export type Conversation = Readonly<{ system: string; messages: readonly Message[] }>

export const model = 'svc-o1-mini'
/** As many as the service takes, less the system prompt. */
export const messagesMax = 511

export function newMessage(role: MessageRole, content: string): Message {
  return { id: Math.random().toString(36).slice(2), role, content }
}

/** One place up or down; at an end it stays. */
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
  const said = messages.map(({ role, content }) => ({ role, content }))
  return {
    model,
    messages: system === '' ? said : [{ role: 'system', content: system }, ...said],
    ...parameters,
  }
}
