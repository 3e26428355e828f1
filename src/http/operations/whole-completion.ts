import type { CompletionHead, CompletionUsage } from '../../completions/completion.ts'
import type { ToolCallEvent } from '../../completions/tool-call-reader.ts'
import type { ChatCompletion } from '../../protocol/chat/chat-completion.ts'
import { callId } from '../wire/chat/call-id.ts'
import { toLogprobs } from '../wire/chat/to-logprobs.ts'
import { type CollectedChoice, toCompletion } from '../wire/chat/to-completion.ts'

type WholeOptions = {
  readonly head: CompletionHead
  /** Number of choices. */
  readonly count: number
  readonly withLogprobs: boolean
}

/** Joins the events of each choice. Returns the completion once its usage, which comes last, has arrived. */
export async function wholeCompletion(
  events: AsyncIterable<ToolCallEvent>,
  { head, count, withLogprobs }: WholeOptions,
): Promise<ChatCompletion> {
  const { choices, usage } = await collectChoices(events, count, head.id)
  return toCompletion({ head, choices, usage, withLogprobs })
}

async function collectChoices(
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
  // Converted at once: the engine's objects take three times the memory.
  if (logprobs.length > 0) choice.logprobs.push(...toLogprobs(logprobs).content)
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
