import type { Usage } from '../../../protocol/chat/usage.ts'

type CountedTokens = { promptTokens: number; cachedTokens: number; completionTokens: number }

export function toUsage({ promptTokens, cachedTokens, completionTokens }: CountedTokens): Usage {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  }
}
