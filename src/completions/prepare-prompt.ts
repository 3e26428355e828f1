import type { ChatMessage, Engine, Prompt, Sampling } from '../engine/engine.ts'
import type { ReplyFormat } from '../engine/reply-format.ts'
import { ServiceError } from '../errors.ts'
import { queueWaitMaxMs } from '../limits.ts'

export type PromptSpec = {
  messages: readonly ChatMessage[]
  sampling: Sampling
  format: ReplyFormat | undefined
}

/**
 * A conversation in the model's tokens, whether it fits or not; waits for an engine that is away.
 * @throws ServiceError invalid_value, unsupported_value, model_loading, engine_failed, shutting_down; or the signal's reason
 */
export async function preparePrompt(
  engine: Engine,
  { messages, sampling, format }: PromptSpec,
  signal: AbortSignal,
): Promise<Prompt> {
  const waiting = new AbortController()
  const onAbort = () => waiting.abort(signal.reason)
  const timer = setTimeout(() => waiting.abort(engineAway()), queueWaitMaxMs)
  signal.addEventListener('abort', onAbort)
  try {
    signal.throwIfAborted()
    const prompt = await engine.prepare(messages, waiting.signal, format)
    const { vocabularyTokens } = engine.info
    const foreign = sampling.logitBias?.find(([token]) => token >= vocabularyTokens)
    if (foreign !== undefined)
      throw new ServiceError(
        'invalid_value',
        `\`logit_bias\` names token ${foreign[0]}; this model has the tokens 0 to ${vocabularyTokens - 1}.`,
        { param: 'logit_bias' },
      )
    return prompt
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

function engineAway(): ServiceError {
  return new ServiceError('model_loading', 'The model is being loaded. Try again in a moment.', {
    retryAfterMs: 2000,
  })
}
