import type { ChatMessage, Engine, GenerationOptions, Prompt } from '../engine/engine.ts'
import { ServiceError } from '../errors.ts'
import { queueWaitMaxMs } from '../limits.ts'

/**
 * Turns a conversation into the model's tokens, even if they do not fit into the context. Waits for
 * an engine that is restarting, at most `queueWaitMaxMs`.
 * @throws ServiceError invalid_value, unsupported_value, model_loading, engine_failed, shutting_down; or the signal's reason
 */
export async function preparePrompt(
  engine: Engine,
  messages: readonly ChatMessage[],
  { sampling, format }: Pick<GenerationOptions, 'sampling' | 'format'>,
  signal: AbortSignal,
): Promise<Prompt> {
  const waiting = new AbortController()
  const onAbort = () => waiting.abort(signal.reason)
  const timer = setTimeout(() => waiting.abort(modelLoading()), queueWaitMaxMs)
  signal.addEventListener('abort', onAbort)
  try {
    signal.throwIfAborted()
    const prompt = await engine.prepare(messages, waiting.signal, format)
    const { vocabularyTokens } = engine.info
    const unknown = sampling.logitBias?.find(([token]) => token >= vocabularyTokens)
    if (unknown !== undefined)
      throw new ServiceError(
        'invalid_value',
        `\`logit_bias\` names token ${unknown[0]}; this model has the tokens 0 to ${vocabularyTokens - 1}.`,
        { param: 'logit_bias' },
      )
    return prompt
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

function modelLoading(): ServiceError {
  return new ServiceError('model_loading', 'The model is being loaded. Try again in a moment.', {
    retryAfterMs: 2000,
  })
}
