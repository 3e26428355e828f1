import type { SampledLogprob, TokenLogprob } from '../../../engine/engine.ts'
import type { Logprobs } from '../../../protocol/chat/logprobs.ts'

/** Stands for minus infinity, which JSON cannot express. Clients know this value from other services. */
const impossibleLogprob = -9999

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
    logprob: Math.max(logprob, impossibleLogprob),
    // A special token has no bytes of its own.
    bytes: bytes.length === 0 ? null : [...bytes],
  }
}
