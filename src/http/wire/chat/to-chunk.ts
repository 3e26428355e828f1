import type { ToolCallEvent } from '../../../completions/tool-call-reader.ts'
import type { SampledLogprob } from '../../../engine/engine.ts'
import type { ChatCompletionChunk } from '../../../protocol/chat/chat-completion.ts'
import type { FinishReason } from '../../../protocol/chat/usage.ts'
import { toDeltas, type WireDelta } from './to-deltas.ts'
import type { WireHead } from './to-head.ts'
import { toLogprobs } from './to-logprobs.ts'
import { toUsage } from './to-usage.ts'

/** The members that all chunks of one stream have in common. */
type ChunkFrame = { head: WireHead; includeUsage: boolean }

/** Returns the first chunk of a choice. */
export function toFirstChunk(frame: ChunkFrame, index: number): ChatCompletionChunk {
  return toChunk(frame, index, { role: 'assistant', content: '' })
}

/**
 * Returns the chunks of one event. The first chunk that is not a thought carries the log-probabilities of the event's
 * tokens.
 */
export function toChunks(frame: ChunkFrame, event: ToolCallEvent): ChatCompletionChunk[] {
  switch (event.type) {
    case 'delta':
      return toDeltas(event, frame.head.id).map((delta, at, deltas) =>
        toChunk(frame, event.index, delta, null, at === firstAnswer(deltas) ? event.logprobs : []),
      )
    case 'finish':
      return [toChunk(frame, event.index, {}, event.reason)]
    case 'usage': {
      if (!frame.includeUsage) return []
      const usage = toUsage(event.usage)
      return [{ ...frame.head, object: 'chat.completion.chunk', choices: [], usage }]
    }
  }
}

/** Returns the index of the first delta that is not a thought, or 0 if all are thoughts. */
function firstAnswer(deltas: readonly WireDelta[]): number {
  return Math.max(
    0,
    deltas.findIndex((delta) => delta.reasoning_content === undefined),
  )
}

function toChunk(
  { head, includeUsage }: ChunkFrame,
  index: number,
  delta: WireDelta,
  reason: FinishReason | null = null,
  sampled: readonly SampledLogprob[] = [],
): ChatCompletionChunk {
  const logprobs = sampled.length === 0 ? null : toLogprobs(sampled)
  return {
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index, delta, logprobs, finish_reason: reason }],
    ...(includeUsage ? { usage: null } : {}),
  }
}
