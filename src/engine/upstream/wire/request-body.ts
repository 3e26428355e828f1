import { parseInOrder, stringifyInOrder } from '../../../json-order.ts'
import type { ChatMessage, GenerationRequest } from '../../engine.ts'
import type { FinalFormat, ReplyFormat } from '../../reply-format.ts'
import { inOrderOfCalls, noParameters, type Tool } from '../../tools.ts'
import type { UpstreamFlavour, UpstreamSettings } from '../upstream-settings.ts'

type Members = Readonly<Record<string, unknown>>
type ToolFormat = Extract<ReplyFormat, { type: 'tools' }>

/**
 * Returns the JSON body of a completion request. It contains only parameters that we know, never other members of the
 * client's request. Defaults are written out, because engines have different ones.
 * @param cacheSalt separates the cached prefixes of accounts, if the engine supports it
 */
export function completionBody(
  { flavour, model }: Pick<UpstreamSettings, 'flavour' | 'model'>,
  messages: readonly ChatMessage[],
  request: GenerationRequest,
  cacheSalt: string,
): string {
  return toBody({
    model,
    ...promptMembers(flavour, messages, request),
    max_tokens: request.maxTokens,
    stream: true,
    stream_options: {
      include_usage: true,
      ...(countsContinuously(flavour) && { continuous_usage_stats: true }),
    },
    ...samplingMembers(flavour, request),
    ...formatMembers(flavour, request.format),
    ...(flavour === 'llama-server' && { timings_per_token: true, cache_prompt: true }),
    ...(countsContinuously(flavour) && { cache_salt: cacheSalt }),
  })
}

/** Matches the escape of half a surrogate pair in the JSON that this service writes; pairs are not escaped there. */
const halfPair = /(?<!\\)((?:\\\\)*)\\ud[89a-f]../g

/**
 * Serialises the body of a request. Half surrogate pairs, which clients send when they cut a text inside a character,
 * become U+FFFD: some engines answer them with a server error.
 */
export function toBody(members: Members): string {
  return stringifyInOrder(members).replaceAll(halfPair, String.raw`$1\ufffd`)
}

/** Returns the members that determine the prompt. Counting the prompt's tokens needs them too. */
export function promptMembers(
  flavour: UpstreamFlavour,
  messages: readonly ChatMessage[],
  { format, variables }: Pick<GenerationRequest, 'format' | 'variables'>,
): Members {
  const tools = format?.type === 'tools' ? toolsFor(flavour, format) : []
  return {
    messages: inOrderOfCalls(messages).map((message) => toMessage(flavour, message)),
    ...(tools.length > 0 && { tools: tools.map(toTool) }),
    ...variableMembers(flavour, variables),
  }
}

function countsContinuously(flavour: UpstreamFlavour): boolean {
  return flavour === 'vllm' || flavour === 'sglang'
}

function toMessage(flavour: UpstreamFlavour, message: ChatMessage): Members {
  const { role, content, reasoning, toolCalls = [], toolCallId } = message
  return {
    role,
    content: content === '' && toolCalls.length > 0 ? null : content,
    ...(reasoning !== undefined && reasoningMembers(flavour, reasoning)),
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: text },
      })),
    }),
    ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
  }
}

/** llama-server reads an object in `tool_choice` as `auto`. So it gets the tool of that name only, and must call it. */
function toolsFor(flavour: UpstreamFlavour, { tools, choice }: ToolFormat): readonly Tool[] {
  if (flavour !== 'llama-server' || typeof choice === 'string') return tools
  return tools.filter(({ name }) => name === choice.name)
}

function choiceFor(flavour: UpstreamFlavour, choice: ToolFormat['choice']): unknown {
  if (typeof choice === 'string') return choice
  if (flavour === 'llama-server') return 'required'
  return { type: 'function', function: { name: choice.name } }
}

function toTool({ name, description, parameters }: Tool): Members {
  return {
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      parameters: parameters === undefined ? noParameters : parseInOrder(parameters),
    },
  }
}

function reasoningMembers(flavour: UpstreamFlavour, reasoning: string): Members {
  switch (flavour) {
    case 'vllm':
      // Older versions of vLLM read `reasoning_content`.
      return { reasoning, reasoning_content: reasoning }
    case 'sglang':
    case 'llama-server':
      return { reasoning_content: reasoning }
    case 'ollama':
      return { reasoning }
    case 'openai':
      return {}
  }
}

function variableMembers(
  flavour: UpstreamFlavour,
  variables: GenerationRequest['variables'],
): Members {
  if (variables === undefined) return {}
  const { reasoning_effort: effort, enable_thinking: thinks, ...others } = variables
  const isKnownEffort = typeof effort === 'string' && efforts.includes(effort)
  switch (flavour) {
    case 'vllm':
    case 'sglang':
    case 'llama-server': {
      const given = {
        ...others,
        ...(thinks !== undefined && { enable_thinking: thinks }),
        ...(effort !== undefined && !isKnownEffort && { reasoning_effort: effort }),
      }
      return {
        ...(Object.keys(given).length > 0 && { chat_template_kwargs: given }),
        ...(isKnownEffort && { reasoning_effort: effort }),
      }
    }
    case 'ollama':
      return { reasoning_effort: effort ?? (thinks === false ? 'none' : 'medium') }
    case 'openai':
      return effort === undefined ? {} : { reasoning_effort: effort }
  }
}

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

function samplingMembers(flavour: UpstreamFlavour, request: GenerationRequest): Members {
  const { sampling, stopTokens = [], topLogprobs, thinkingTokensMax = -1 } = request
  const { temperature, topP, topK, minP, seed, logitBias = [] } = sampling
  // Generated text is well-formed, so half a surrogate pair stops nothing.
  const stop = request.stop.filter((text) => text.isWellFormed())
  const isExtended = flavour !== 'ollama' && flavour !== 'openai'
  return {
    temperature,
    // vLLM and SGLang refuse 0. This small value keeps only the likeliest token, as 0 would.
    top_p: Math.max(topP, 1e-6),
    seed: seedFor(flavour, seed),
    presence_penalty: sampling.presencePenalty ?? 0,
    frequency_penalty: sampling.frequencyPenalty ?? 0,
    ...(isExtended && { top_k: topK === 0 && flavour === 'sglang' ? -1 : topK, min_p: minP }),
    ...(countsContinuously(flavour) && { repetition_penalty: 1 }),
    ...(stop.length > 0 && { stop }),
    ...(stopTokens.length > 0 && { stop_token_ids: stopTokens }),
    ...(logitBias.length > 0 && { logit_bias: Object.fromEntries(logitBias) }),
    ...(topLogprobs !== undefined && {
      logprobs: true,
      // llama-server reports no log-probabilities for 0.
      top_logprobs: flavour === 'llama-server' ? Math.max(1, topLogprobs) : topLogprobs,
    }),
    ...(thinkingTokensMax >= 0 && {
      [flavour === 'vllm' ? 'thinking_token_budget' : 'thinking_budget_tokens']: thinkingTokensMax,
    }),
  }
}

/**
 * Reduces the seed to the engine's range: 32 bits, signed for Ollama. llama-server reads 0xffffffff as "random seed".
 */
function seedFor(flavour: UpstreamFlavour, seed: number): number {
  switch (flavour) {
    case 'llama-server':
      return seed % 0xffff_ffff
    case 'ollama':
      return seed % 0x7fff_ffff
    case 'vllm':
    case 'sglang':
    case 'openai':
      return seed
  }
}

function formatMembers(flavour: UpstreamFlavour, format: ReplyFormat | undefined): Members {
  if (format === undefined) return {}
  if (format.type !== 'tools') return finalMembers(flavour, format)
  const { choice, areParallel, final } = format
  return {
    tool_choice: choiceFor(flavour, choice),
    ...(flavour !== 'ollama' && { parallel_tool_calls: areParallel }),
    ...(final !== undefined && finalMembers(flavour, final)),
  }
}

function finalMembers(flavour: UpstreamFlavour, format: FinalFormat): Members {
  switch (format.type) {
    case 'json_object':
      return { response_format: { type: 'json_object' } }
    case 'json_schema': {
      const json_schema = { name: 'reply', strict: true, schema: parseInOrder(format.schema) }
      return { response_format: { type: 'json_schema', json_schema } }
    }
    case 'choice':
      return choiceMembers(flavour, format.texts)
  }
}

function choiceMembers(flavour: UpstreamFlavour, texts: readonly string[]): Members {
  if (flavour === 'vllm') return { structured_outputs: { choice: texts } }
  if (flavour === 'sglang')
    return {
      regex: `(${texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|')})`,
    }
  return { grammar: `root ::= ${texts.map(literal).join(' | ')}` }
}

/** Returns the text as a string literal of llama.cpp's GBNF. */
function literal(text: string): string {
  const escaped = Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0
    if (character === '"' || character === '\\') return `\\${character}`
    return code < 0x20 ? `\\x${code.toString(16).padStart(2, '0')}` : character
  })
  return `"${escaped.join('')}"`
}
