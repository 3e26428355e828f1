import type { Usage } from '../../../protocol/chat/usage.ts'

type CountedTokens = {
  promptTokens: number
  cachedTokens: number
  completionTokens: number
  reasoningTokens?: number | undefined
}

export function toUsage(counted: CountedTokens): Usage {
  const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = counted
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
    ...(reasoningTokens !== undefined && {
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
  }
}
