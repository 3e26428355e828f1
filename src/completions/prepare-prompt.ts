import type {
  ChatMessage,
  Engine,
  EngineInfo,
  GenerationOptions,
  PrepareOptions,
  Prompt,
} from '../engine/engine.ts'
import { ServiceError } from '../errors.ts'
import { queueWaitMaxMs } from '../limits.ts'

/**
 * Turns a conversation into the model's tokens. Waits at most `waitMaxMs` for an engine that is restarting or busy with
 * other conversations, then aborts `control` with the error.
 * @throws ServiceError invalid_value, unsupported_value, context_length_exceeded (with `mustFit`), model_loading,
 * overloaded, engine_failed, shutting_down; or the signal's reason
 */
export async function preparePrompt(
  engine: Engine,
  messages: readonly ChatMessage[],
  { sampling, stopTokens, ...options }: PromptOptions,
  control: AbortController,
  waitMaxMs = queueWaitMaxMs,
): Promise<Prompt> {
  const { signal } = control
  const timer = setTimeout(() => control.abort(waitedTooLong(engine, waitMaxMs)), waitMaxMs)
  try {
    signal.throwIfAborted()
    const { caller, format, variables, mustFit, isPlain, withTexts } = options
    const work = { caller, format, variables, mustFit, isPlain, withTexts }
    const prompt = await engine.prepare(messages, signal, work)
    const biased = sampling?.logitBias?.map(([token]) => token) ?? []
    requireKnown('logit_bias', biased, engine.info)
    requireKnown('stop_token_ids', stopTokens ?? [], engine.info)
    return prompt
  } finally {
    clearTimeout(timer)
  }
}

type PromptOptions = Partial<Pick<GenerationOptions, 'sampling' | 'stopTokens'>> & PrepareOptions

function requireKnown(
  param: string,
  tokens: readonly number[],
  { vocabularyTokens }: EngineInfo,
): void {
  const unknown = tokens.find((token) => token >= vocabularyTokens)
  if (unknown === undefined) return
  throw new ServiceError(
    'invalid_value',
    `\`${param}\` names token ${unknown}; this model has the tokens 0 to ${vocabularyTokens - 1}.`,
    { param },
  )
}

function waitedTooLong({ state }: Engine, waitMaxMs: number): ServiceError {
  // Only a deadline of the caller makes the wait shorter.
  const isDeadline = waitMaxMs < queueWaitMaxMs
  const options = { retryAfterMs: 2000, ...(isDeadline && { dropReason: 'deadline' as const }) }
  if (state === 'ready')
    return new ServiceError(
      'overloaded',
      'Too many long conversations are being read. Try again in a moment.',
      options,
    )
  return new ServiceError(
    'model_loading',
    'The model is being loaded. Try again in a moment.',
    options,
  )
}
