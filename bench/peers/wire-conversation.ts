import type { Conversation } from '../../test/templates/conversations.ts'

/** Returns the request body that sends a conversation to llama-server. */
export function wireConversation({ messages, tools }: Conversation): object {
  return {
    messages: messages.map(({ role, content, toolCalls, toolCallId }) => ({
      role,
      content,
      ...(toolCalls !== undefined && {
        tool_calls: toolCalls.map(({ id, name, arguments: text }) => ({
          id,
          type: 'function',
          function: { name, arguments: text },
        })),
      }),
      ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
    })),
    tools: tools.map(({ name, description, parameters = '{}' }) => ({
      type: 'function',
      function: { name, description, parameters: JSON.parse(parameters) },
    })),
  }
}
