import type { ToolCallEvent } from '../../../completions/tool-call-reader.ts'
import type { ToolCallDelta } from '../../../engine/tool-forms/reading/tool-call-reader.ts'
import type { ChatCompletionChunk } from '../../../protocol/chat/chat-completion.ts'
import { callId } from './call-id.ts'

export type WireDelta = ChatCompletionChunk['choices'][number]['delta']
type CallDelta = NonNullable<WireDelta['tool_calls']>[number]

/** Returns the deltas of one event in the order in which clients join them: its thought, its text, its calls. */
export function toDeltas(
  { index, text, calls = [], reasoning }: Extract<ToolCallEvent, { type: 'delta' }>,
  completionId: string,
): WireDelta[] {
  const deltas: WireDelta[] = reasoning === undefined ? [] : [toReasoning(reasoning)]
  if (text !== '' || (calls.length === 0 && reasoning === undefined)) deltas.push({ content: text })
  for (const call of calls) deltas.push({ tool_calls: [toCallDelta(call, completionId, index)] })
  return deltas
}

/**
 * Returns the thoughts under both names in use. Clients of llama-server and DeepSeek read the first, clients of vLLM
 * and OpenRouter the second.
 */
export function toReasoning(reasoning: string): { reasoning_content: string; reasoning: string } {
  return { reasoning_content: reasoning, reasoning }
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
