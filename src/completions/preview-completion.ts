import type { ChatMessage, PrepareOptions, Prompt } from '../engine/engine.ts'
import { contextLengthExceeded, ServiceError } from '../errors.ts'
import { tokenizedTokensMax } from '../limits.ts'
import type { CompletionServices } from './completion-services.ts'
import type { CompletionSpec } from './completion.ts'
import { preparePrompt } from './prepare-prompt.ts'
import { type AdmittedRequest, logprobBytesOf } from './run-completion.ts'

export type CompletionPreview = {
  promptTokens: number
  contextTokens: number
  /** Tokens that the context has left for a reply; 0 when the prompt does not fit. */
  tokensLeft: number
  /** Predicted wait for the slots that the request needs. */
  waitMs: number
}

/**
 * Counts a request's prompt tokens and predicts its wait. The request counts towards the admission limit (its place)
 * but takes no slot of the engine, generates nothing and writes no ledger entry.
 */
export async function previewCompletion(
  { engine }: Pick<CompletionServices, 'engine'>,
  {
    place,
    control,
    endUser,
  }: Pick<AdmittedRequest, 'place' | 'control'> & { endUser?: string | undefined },
  {
    messages,
    generation,
    choices,
    stream,
  }: Pick<CompletionSpec, 'messages' | 'generation' | 'choices' | 'stream'>,
): Promise<CompletionPreview> {
  try {
    control.signal.throwIfAborted()
    place.start()
    engine.requireSupported?.(generation)
    const options = { ...generation, caller: place.holder }
    const { tokens } = await preparePrompt(engine, messages, options, control)
    const { contextTokens } = engine.info
    const tokensLeft = Math.max(0, contextTokens - tokens.length)
    if (!stream) logprobBytesOf(choices * Math.min(generation.maxTokens, tokensLeft), generation)
    return {
      promptTokens: tokens.length,
      contextTokens,
      tokensLeft,
      waitMs: place.waitMs(endUser),
    }
  } finally {
    place.leave()
  }
}

export type TokenizeSpec = Pick<PrepareOptions, 'format' | 'variables' | 'isPlain'> & {
  messages: readonly ChatMessage[]
}

/**
 * Returns the tokens of a conversation in the chat template, or of a plain text, with each token's text. The request
 * counts towards the admission limit (its place) but takes no slot of the engine.
 * @throws ServiceError context_length_exceeded, string_above_max_length, and those of `preparePrompt`
 */
export async function tokenizePrompt(
  { engine }: Pick<CompletionServices, 'engine'>,
  { place, control }: Pick<AdmittedRequest, 'place' | 'control'>,
  { messages, format, variables, isPlain = false }: TokenizeSpec,
): Promise<Prompt> {
  try {
    control.signal.throwIfAborted()
    place.start()
    const caller = place.holder
    const options = { caller, format, variables, isPlain, mustFit: true, withTexts: true }
    const prompt = await preparePrompt(engine, messages, options, control)
    const { length } = prompt.tokens
    const param = isPlain ? 'text' : 'messages'
    if (length >= engine.info.contextTokens)
      throw contextLengthExceeded(String(length), engine.info.contextTokens, { param })
    if (length > tokenizedTokensMax)
      throw new ServiceError(
        'string_above_max_length',
        `\`${param}\` has ${length} tokens. The maximum here is ${tokenizedTokensMax}. Send a shorter one.`,
        { param },
      )
    return prompt
  } finally {
    place.leave()
  }
}
