import type { CompletionHead, CompletionUsage } from '../../../completions/completion.ts'
import type { ChatCompletion } from '../../../protocol/chat/chat-completion.ts'
import type { Logprobs } from '../../../protocol/chat/logprobs.ts'
import type { MessageToolCall } from '../../../protocol/chat/message.ts'
import type { FinishReason } from '../../../protocol/chat/usage.ts'
import { toReasoning } from './to-deltas.ts'
import { toHead } from './to-head.ts'
import { toUsage } from './to-usage.ts'

/** One choice of a reply, joined from its events. */
export type CollectedChoice = {
  content: string
  /** Thoughts of the model; '' if there are none. */
  reasoning: string
  calls: MessageToolCall[]
  logprobs: Logprobs['content']
  reason: FinishReason
}

type CompletionParts = {
  head: CompletionHead
  choices: readonly CollectedChoice[]
  usage: CompletionUsage
  withLogprobs: boolean
}

export function toCompletion(parts: CompletionParts): ChatCompletion {
  return {
    ...toHead(parts.head),
    object: 'chat.completion',
    choices: parts.choices.map((choice, index) => toChoice(choice, index, parts.withLogprobs)),
    usage: toUsage(parts.usage),
  }
}

function toChoice(
  { content, reasoning, calls, logprobs, reason }: CollectedChoice,
  index: number,
  withLogprobs: boolean,
): ChatCompletion['choices'][number] {
  return {
    index,
    message: {
      role: 'assistant',
      // A reply that only calls tools has no text.
      content: content === '' && calls.length > 0 ? null : content,
      refusal: null,
      ...(reasoning !== '' && toReasoning(reasoning)),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
    logprobs: withLogprobs ? { content: logprobs, refusal: null } : null,
    finish_reason: reason,
  }
}
