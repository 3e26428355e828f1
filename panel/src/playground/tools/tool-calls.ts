import type { ChatCompletionChunk } from '../../../../src/protocol/chat/chat-completion.ts'
import { isObject } from '../json-text.ts'

/** A tool call by the model. `args` is JSON text. */
export type ToolCall = Readonly<{ id: string; name: string; args: string }>

type Deltas = NonNullable<ChatCompletionChunk['choices'][number]['delta']['tool_calls']>

/** Adds the pieces of one chunk to the calls so far. */
export function addCallDeltas(calls: readonly ToolCall[], deltas: Deltas): readonly ToolCall[] {
  const added = [...calls]
  for (const { index, id, function: piece } of deltas) {
    const call = added[index] ?? { id: '', name: '', args: '' }
    added[index] = {
      id: id ?? call.id,
      name: piece.name ?? call.name,
      args: call.args + piece.arguments,
    }
  }
  return Array.from(added, (call) => call ?? { id: '', name: '', args: '' })
}

/** Parses saved calls and drops invalid ones. */
export function parseToolCalls(value: unknown, callsMax: number): readonly ToolCall[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, callsMax).flatMap((call: unknown) => {
    if (!isObject(call)) return []
    const { id, name, args } = call
    return typeof id === 'string' && typeof name === 'string' && typeof args === 'string'
      ? [{ id, name, args }]
      : []
  })
}
