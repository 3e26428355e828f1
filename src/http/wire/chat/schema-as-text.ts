import type { ChatMessage } from '../../../engine/engine.ts'
import type { ReplyFormat } from '../../../engine/reply-format.ts'

/**
 * Adds the JSON Schema of the reply to the system message. Returns the messages unchanged if the reply has no schema.
 */
export function withSchema(
  messages: readonly ChatMessage[],
  format: ReplyFormat | undefined,
): readonly ChatMessage[] {
  const final = format?.type === 'tools' ? format.final : format
  if (final?.type !== 'json_schema') return messages
  const text = `${final === format ? 'Reply' : 'If you call no tool, reply'} with JSON that matches this JSON Schema:\n${final.schema}`
  const [first, ...rest] = messages
  return first?.role === 'system'
    ? [{ ...first, content: `${first.content}\n\n${text}` }, ...rest]
    : [{ role: 'system', content: text }, ...messages]
}
