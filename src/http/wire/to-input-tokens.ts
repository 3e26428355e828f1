import type { CompletionPreview } from '../../completions/preview-completion.ts'
import { modelId } from '../../protocol/chat/model-id.ts'
import type { InputTokens } from '../../protocol/chat/input-tokens.ts'
import type { BothLimitStates } from './to-key.ts'
import { toLimitStates } from './to-limit-states.ts'

export function toInputTokens(
  preview: CompletionPreview,
  maxTokens: number,
  states: BothLimitStates,
): InputTokens {
  return {
    object: 'chat.completion.input_tokens',
    model: modelId,
    input_tokens: preview.promptTokens,
    fits: preview.tokensLeft > 0,
    context_length: preview.contextTokens,
    tokens_left: preview.tokensLeft,
    max_tokens: Math.min(maxTokens, preview.tokensLeft),
    estimated_wait_ms: preview.waitMs,
    limits: toLimitStates(states.key),
    account_limits: toLimitStates(states.account),
  }
}
