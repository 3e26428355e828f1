import {
  type ToolCallDelta,
  ToolCallReader,
} from '../engine/tool-forms/reading/tool-call-reader.ts'
import type { ToolForm } from '../engine/tool-forms/tool-form.ts'
import type { ReplyFormat } from '../engine/reply-format.ts'
import type { CompletionEvent } from './completion.ts'

export type ToolCallEvent =
  | Exclude<CompletionEvent, { type: 'delta' | 'finish' }>
  | (Extract<CompletionEvent, { type: 'delta' }> & { calls?: readonly ToolCallDelta[] })
  | { type: 'finish'; index: number; reason: 'stop' | 'length' | 'tool_calls' }

type CallFormat = Extract<ReplyFormat, { type: 'tools' }>

/** Separates tool calls from the text of each choice. */
export async function* readToolCalls(
  events: AsyncIterable<CompletionEvent>,
  form: ToolForm,
  { tools, final }: CallFormat,
): AsyncGenerator<ToolCallEvent, void, void> {
  const readers = new Map<number, ToolCallReader>()
  for await (const event of events) {
    if (event.type === 'usage') {
      yield event
      continue
    }
    const { index } = event
    const reader = readers.get(index) ?? new ToolCallReader(form, tools, final !== undefined)
    readers.set(index, reader)
    if (event.type === 'delta') {
      const { text, calls } = reader.push(event.text)
      const isEmpty = text === '' && calls.length === 0
      if (isEmpty && event.logprobs === undefined && event.reasoning === undefined) continue
      yield { ...event, text, ...(calls.length > 0 && { calls }) }
    } else {
      const { text, calls } = reader.finish()
      if (text !== '' || calls.length > 0)
        yield { type: 'delta', index, text, ...(calls.length > 0 && { calls }) }
      const hasCalled = event.reason === 'stop' && reader.hasCalled
      yield hasCalled ? { ...event, reason: 'tool_calls' } : event
    }
  }
}
