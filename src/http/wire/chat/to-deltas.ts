import type { ToolCallDelta, ToolCallEvent } from '../../../completions/tool-call-reader.ts'
import type { ChatCompletionChunk } from '../../../protocol/chat/chat-completion.ts'
import { callId } from './call-id.ts'

export type WireDelta = ChatCompletionChunk['choices'][number]['delta']
type CallDelta = NonNullable<WireDelta['tool_calls']>[number]

/** Returns the deltas of one event in the order in which clients join them: its text, then its calls. */
export function toDeltas(
  { index, text, calls = [] }: Extract<ToolCallEvent, { type: 'delta' }>,
  completionId: string,
): WireDelta[] {
  const deltas: WireDelta[] = text === '' && calls.length > 0 ? [] : [{ content: text }]
  for (const call of calls) deltas.push({ tool_calls: [toCallDelta(call, completionId, index)] })
  return deltas
}

function toCallDelta(delta: ToolCallDelta, completionId: string, choice: number): CallDelta {
  const index = delta.call
  switch (delta.type) {
    case 'call': {
      const id = callId(completionId, choice, index)
      return { index, id, type: 'function', function: { name: delta.name, arguments: '' } }
    }
    case 'arguments':
      return { index, function: { arguments: delta.text } }
  }
}
