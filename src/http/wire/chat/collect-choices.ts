import type { CompletionUsage } from '../../../completions/completion.ts'
import type { ToolCallEvent } from '../../../completions/tool-call-reader.ts'
import type { SampledLogprob } from '../../../engine/engine.ts'
import type { MessageToolCall } from '../../../protocol/chat/message.ts'
import type { FinishReason } from '../../../protocol/chat/usage.ts'
import { callId } from './call-id.ts'

export type CollectedChoice = {
  content: string
  /** '' without a thought. */
  reasoning: string
  calls: MessageToolCall[]
  logprobs: SampledLogprob[]
  reason: FinishReason
}

/** Joins the events of each choice; resolves once the usage, which comes last, is there. */
export async function collectChoices(
  events: AsyncIterable<ToolCallEvent>,
  count: number,
  completionId: string,
): Promise<{ choices: CollectedChoice[]; usage: CompletionUsage }> {
  const choices = Array.from({ length: count }, newChoice)
  for await (const event of events) {
    if (event.type === 'usage') return { choices, usage: event.usage }
    const choice = choices[event.index]
    if (choice === undefined) throw new Error('an event of a choice that was not asked for')
    if (event.type === 'finish') choice.reason = event.reason
    else addDelta(choice, event, completionId)
  }
  throw new Error('the completion ended without its usage')
}

function newChoice(): CollectedChoice {
  return { content: '', reasoning: '', calls: [], logprobs: [], reason: 'stop' }
}

function addDelta(
  choice: CollectedChoice,
  {
    index,
    text,
    calls = [],
    logprobs = [],
    reasoning = '',
  }: Extract<ToolCallEvent, { type: 'delta' }>,
  completionId: string,
): void {
  choice.content += text
  choice.reasoning += reasoning
  choice.logprobs.push(...logprobs)
  for (const delta of calls)
    switch (delta.type) {
      case 'call': {
        const id = callId(completionId, index, delta.call)
        const called = { name: delta.name, arguments: '' }
        choice.calls.push({ id, type: 'function', function: called })
        break
      }
      case 'arguments': {
        const call = choice.calls[delta.call]
        if (call !== undefined) call.function.arguments += delta.text
      }
    }
}
