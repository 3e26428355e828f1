import type { SampledLogprob, TokenLogprob } from '../../../engine/engine.ts'
import type { Logprobs } from '../../../protocol/chat/logprobs.ts'

export function toLogprobs(sampled: readonly SampledLogprob[]): Logprobs {
  const content = sampled.map(({ top, ...one }) => ({
    ...toTokenLogprob(one),
    top_logprobs: top.map(toTokenLogprob),
  }))
  return { content, refusal: null }
}

function toTokenLogprob({ text, bytes, logprob }: TokenLogprob) {
  return {
    token: text,
    logprob,
    // A special token has no bytes of its own.
    bytes: bytes.length === 0 ? null : [...bytes],
  }
}
