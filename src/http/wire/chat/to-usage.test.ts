import { expect, test } from 'vitest'
import { toUsage } from './to-usage.ts'

test('the total is the sum of prompt and completion; cached tokens are part of the prompt', () => {
  expect(toUsage({ promptTokens: 12, cachedTokens: 8, completionTokens: 3 })).toEqual({
    prompt_tokens: 12,
    completion_tokens: 3,
    total_tokens: 15,
    prompt_tokens_details: { cached_tokens: 8 },
  })
})
