import type { CompletionServices } from './completion-services.ts'
import type { CompletionSpec } from './completion.ts'
import { preparePrompt } from './prepare-prompt.ts'

export type CompletionPreview = {
  promptTokens: number
  contextTokens: number
  /** Tokens that the context has left for a reply; 0 when the prompt does not fit. */
  tokensLeft: number
  /** Predicted wait for the slots that the request asks for. */
  waitMs: number
}

/** Counts the prompt of a request and predicts its wait. Generates nothing and writes no ledger entry. */
export async function previewCompletion(
  { admission, engine }: Pick<CompletionServices, 'admission' | 'engine'>,
  { messages, generation, choices }: Pick<CompletionSpec, 'messages' | 'generation' | 'choices'>,
  signal: AbortSignal,
): Promise<CompletionPreview> {
  // Tokenising costs time too, so a preview takes a place, but never a slot.
  const place = admission.enter()
  try {
    const { tokens } = await preparePrompt(engine, messages, generation, signal)
    const { contextTokens } = engine.info
    return {
      promptTokens: tokens.length,
      contextTokens,
      tokensLeft: Math.max(0, contextTokens - tokens.length),
      waitMs: admission.waitMs(choices),
    }
  } finally {
    place.leave()
  }
}
