import type { CompletionServices, CompletionSpec } from './run-completion.ts'
import { preparePrompt } from './prepare-prompt.ts'

export type CompletionPreview = {
  promptTokens: number
  contextTokens: number
  /** What the context has left for a reply; 0 when the prompt does not fit. */
  tokensLeft: number
  /** Until its slots would be free, as far as the last replies tell. */
  waitMs: number
}

/** What a request would meet: generates nothing, and leaves no entry in the ledger. */
export async function previewCompletion(
  { admission, engine }: Pick<CompletionServices, 'admission' | 'engine'>,
  spec: Pick<CompletionSpec, 'messages' | 'sampling' | 'format' | 'choices'>,
  signal: AbortSignal,
): Promise<CompletionPreview> {
  // Tokenising is work, too: it has a place for as long as it takes, and never a slot.
  const place = admission.enter()
  try {
    const { tokens } = await preparePrompt(engine, spec, signal)
    const { contextTokens } = engine.info
    return {
      promptTokens: tokens.length,
      contextTokens,
      tokensLeft: Math.max(0, contextTokens - tokens.length),
      waitMs: admission.waitMs(spec.choices),
    }
  } finally {
    place.leave()
  }
}
