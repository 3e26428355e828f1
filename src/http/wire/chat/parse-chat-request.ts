import { chatParameters as parameters } from '../../../chat-parameters.ts'
import type { CompletionSpec } from '../../../completions/completion.ts'
import type { Dialect } from '../../../engine/dialect/dialect.ts'
import { ServiceError } from '../../../errors.ts'
import { ignoredParameterCharsMax } from '../../../limits.ts'
import {
  type ChatCompletionRequest,
  maxTokensAliases,
} from '../../../protocol/chat/chat-request.ts'
import { findUnknown, findUnsupported, keptParameters } from '../../../protocol/chat/parameters.ts'
import { type FindCall, parseFormat } from './parse-format.ts'
import { parseMessages } from './parse-messages.ts'
import { parseThinking } from './parse-thinking.ts'
import { withSchema } from './schema-as-text.ts'

export type ChatRequest = Pick<
  CompletionSpec,
  'stream' | 'messages' | 'choices' | 'generation' | 'keptParameters' | 'ignoredParameters'
> & { includeUsage: boolean }

export type ChatSettings = {
  readonly dialect: Dialect
  /** Value of `max_tokens` when a request leaves it out. */
  readonly maxTokensDefault: number
  /** True if the prompt contains the JSON Schema of the reply. */
  readonly tellsSchema: boolean
  /** True if the engine can complete JSON within `max_tokens`. */
  readonly completesFormat: boolean
  readonly findCall: FindCall
}

/**
 * Turns a valid body into a completion's settings and fills in the defaults.
 * @param seed The body's seed, or a random one if the body has none.
 * @throws ServiceError unsupported_parameter, unsupported_value, invalid_value, invalid_type,
 * missing_required_parameter
 */
export function parseChatRequest(
  body: ChatCompletionRequest,
  { dialect, maxTokensDefault, tellsSchema, completesFormat, findCall }: ChatSettings,
  seed: number,
): ChatRequest {
  requireSupported(body)
  const format = parseFormat(body, findCall)
  const messages = parseMessages(body.messages)
  return {
    stream: body.stream ?? parameters.stream.default,
    messages: tellsSchema ? withSchema(messages, format) : messages,
    choices: body.n ?? parameters.n.default,
    generation: {
      maxTokens: maxTokens(body, maxTokensDefault),
      sampling: {
        temperature: body.temperature ?? parameters.temperature.default,
        topP: body.top_p ?? parameters.top_p.default,
        topK: Math.max(0, body.top_k ?? parameters.top_k.default),
        minP: body.min_p ?? parameters.min_p.default,
        seed: toUnsigned(seed),
        presencePenalty: body.presence_penalty ?? parameters.presence_penalty.default,
        frequencyPenalty: body.frequency_penalty ?? parameters.frequency_penalty.default,
        logitBias: logitBias(body),
      },
      stop: [body.stop ?? []].flat(),
      stopTokens: body.stop_token_ids ?? undefined,
      topLogprobs: topLogprobs(body),
      format,
      completesFormat: format === undefined ? undefined : (body.complete_json ?? completesFormat),
      ...parseThinking(body, dialect),
    },
    keptParameters: keptParameters(body),
    ignoredParameters: namedInHeader(findUnknown(body)),
    includeUsage: body.stream_options?.include_usage ?? false,
  }
}

/** @throws ServiceError unsupported_parameter */
export function requireSupported(body: Readonly<Record<string, unknown>>): void {
  const unsupported = findUnsupported(body)
  if (unsupported === undefined) return
  throw new ServiceError(
    'unsupported_parameter',
    `\`${unsupported.name}\` is not supported with this value. ${unsupported.instead}`,
    { param: unsupported.name },
  )
}

function maxTokens(body: ChatCompletionRequest, standard: number): number {
  let limit = body.max_tokens ?? undefined
  let name = 'max_tokens'
  for (const alias of maxTokensAliases) {
    const other = body[alias] ?? limit
    if (limit !== undefined && other !== limit)
      throw new ServiceError(
        'invalid_value',
        `\`${name}\` and \`${alias}\` mean the same limit. Make them equal, or send only one.`,
        { param: alias },
      )
    if (limit === undefined && other !== undefined) name = alias
    limit = other
  }
  return limit ?? standard
}

/** Maps a negative seed to the upper half of the unsigned range. */
function toUnsigned(seed: number): number {
  return seed < 0 ? Number.MAX_SAFE_INTEGER + seed + 1 : seed
}

function topLogprobs(body: ChatCompletionRequest): number | undefined {
  const { logprobs, top_logprobs: count } = body
  if (logprobs === true) return count ?? parameters.top_logprobs.default
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

/**
 * Makes the names fit into a header: replaces commas and characters that are not printable ASCII, and cuts long names.
 */
export function namedInHeader(names: string[]): string[] {
  return names.map((name) =>
    name.replace(/[^\x21-\x2b\x2d-\x7e]/g, '?').slice(0, ignoredParameterCharsMax),
  )
}
