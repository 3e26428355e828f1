import { randomUUID } from 'node:crypto'
import type { CompletionSpec } from '../../completions/completion.ts'
import { ServiceError } from '../../errors.ts'
import {
  completionTokensDefault,
  ignoredParametersNamedMax,
  temperatureDefault,
} from '../../limits.ts'
import type { ChatCompletionRequest } from '../../protocol/chat/chat-request.ts'
import { modelId } from '../../protocol/model.ts'
import { findUnknown, findUnsupported, keptParameters } from '../../protocol/chat/parameters.ts'
import { parseFormat } from './parse-format.ts'
import { parseMessages } from './parse-messages.ts'

export type ChatRequest = Pick<
  CompletionSpec,
  'stream' | 'messages' | 'choices' | 'generation' | 'keptParameters' | 'ignoredParameters'
> & { includeUsage: boolean }

/**
 * Turns a valid body into a completion's settings and fills in the defaults.
 * @throws ServiceError model_not_found, unsupported_parameter, unsupported_value, invalid_value,
 * invalid_type, missing_required_parameter
 */
export function parseChatRequest(body: ChatCompletionRequest): ChatRequest {
  if (body.model !== modelId)
    throw new ServiceError('model_not_found', `The model does not exist. Use \`${modelId}\`.`, {
      param: 'model',
    })
  const unsupported = findUnsupported(body)
  if (unsupported !== undefined)
    throw new ServiceError(
      'unsupported_parameter',
      `\`${unsupported}\` is not supported with this value. Leave it out.`,
      { param: unsupported },
    )
  if (body.stream_options?.include_obfuscation === true)
    throw new ServiceError(
      'unsupported_parameter',
      '`include_obfuscation` is not supported. Leave it out.',
      {
        param: 'stream_options.include_obfuscation',
      },
    )
  return {
    stream: body.stream ?? false,
    messages: parseMessages(body.messages),
    choices: body.n ?? 1,
    generation: {
      maxTokens: maxTokens(body),
      sampling: {
        temperature: body.temperature ?? temperatureDefault,
        topP: body.top_p ?? 1,
        topK: body.top_k ?? 0,
        minP: body.min_p ?? 0,
        seed: seedOf(body),
        presencePenalty: body.presence_penalty ?? 0,
        frequencyPenalty: body.frequency_penalty ?? 0,
        logitBias: logitBias(body),
      },
      stop: [body.stop ?? []].flat(),
      topLogprobs: topLogprobs(body),
      format: parseFormat(body),
    },
    keptParameters: keptParameters(body),
    ignoredParameters: namedInHeader(findUnknown(body)),
    includeUsage: body.stream_options?.include_usage ?? false,
  }
}

function maxTokens(body: ChatCompletionRequest): number {
  const { max_tokens: limit, max_completion_tokens: alias } = body
  if (limit != null && alias != null && limit !== alias)
    throw new ServiceError(
      'invalid_value',
      '`max_tokens` and `max_completion_tokens` mean the same limit. Make them equal, or send only one.',
      { param: 'max_completion_tokens' },
    )
  return limit ?? alias ?? completionTokensDefault
}

/** Maps a negative seed to the upper half of the unsigned range. Without a seed it is random. */
function seedOf(body: ChatCompletionRequest): number {
  const seed = body.seed ?? Number.parseInt(randomUUID().slice(-12), 16)
  return seed < 0 ? Number.MAX_SAFE_INTEGER + seed + 1 : seed
}

function topLogprobs(body: ChatCompletionRequest): number | undefined {
  const { logprobs, top_logprobs: count } = body
  if (logprobs === true) return count ?? 0
  if (count != null && count > 0)
    throw new ServiceError('invalid_value', '`top_logprobs` needs `logprobs: true`.', {
      param: 'top_logprobs',
    })
  return undefined
}

function logitBias(body: ChatCompletionRequest): [number, number][] {
  return Object.entries(body.logit_bias ?? {}).map(([token, bias]) => {
    if (!/^\d{1,9}$/.test(token))
      throw new ServiceError(
        'invalid_value',
        '`logit_bias` must map token ids, written as whole numbers, to biases.',
        { param: 'logit_bias' },
      )
    return [Number(token), bias]
  })
}

/** Makes the names fit into a header: it replaces characters that are not printable ASCII and cuts long names. */
function namedInHeader(names: string[]): string[] {
  return names
    .slice(0, ignoredParametersNamedMax)
    .map((name) => name.replace(/[^\x21-\x2b\x2d-\x7e]/g, '?').slice(0, 64))
}
