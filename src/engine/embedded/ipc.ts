import { chatParameters } from '../../chat-parameters.ts'
import { type Dialect, thoughtStates } from '../dialect/dialect.ts'
import { parseDialect } from '../dialect/parse-dialect.ts'
import type { EmbeddedSettings } from '../engine-settings.ts'
import type {
  ChatMessage,
  ChatTemplateOrigin,
  EngineFinishReason,
  GenerationRequest,
  Prompt,
  SampledLogprob,
  TemplateVariables,
  TokenLogprob,
  TokenTexts,
} from '../engine.ts'
import type { ReplyFormat } from '../reply-format.ts'
import type { EngineBuild } from './engine-build.ts'
import { type SandboxLayer, sandboxLayers } from './sandbox/layers.ts'

/** File descriptor in the engine process that carries all messages. */
export const channelDescriptor = 3

/** Messages from the service (parent) to the engine process (child). The child trusts the parent; not vice versa. */
export type ParentMessage =
  | { type: 'start'; settings: ChildSettings }
  | {
      type: 'prepare'
      id: number
      messages: readonly ChatMessage[]
      format?: ReplyFormat | undefined
      variables?: TemplateVariables | undefined
      /** True if it can be prepared between two steps without delaying them. */
      isSmall: boolean
      /** If true, a prompt that is certainly longer than the context gets the answer `tooLong`. */
      mustFit: boolean
      isPlain?: boolean | undefined
      withTexts?: boolean | undefined
      /** Steps after which the schema compiler stops, and answers `postponed`; after `grammarWorkMax`, `refused`. */
      workMax: number
    }
  /** Cancels a `prepare`. The answer is then `cancelled`, unless another one was already on its way. */
  | { type: 'cancel'; id: number }
  | {
      type: 'generate'
      id: number
      request: GenerationRequest
      /** Tokens that an earlier process sampled for this request. They are sampled again, only faster. */
      known: Int32Array | undefined
    }
  | { type: 'abort'; id: number }
  | { type: 'close' }

/** The engine's configured settings, the files found for them, and the values for supervising the process. */
export type ChildSettings = Omit<EmbeddedSettings, 'gpu'> &
  EngineBuild & {
    /** Text of the file `chatTemplatePath`, which the engine process itself cannot read. */
    readonly chatTemplate?: string | undefined
    readonly parentPid: number
    readonly heartbeatMs: number
  }

export type ChildMessage =
  /** Sent during a slow load, with the share of the work done so far: 0 to 1. */
  | { type: 'loading'; share: number }
  | { type: 'loaded'; model: ModelFacts }
  /** The child cannot start. `cause` is a clause about the file (`model`) or a sentence (`settings`). */
  | { type: 'failed'; fault: StartFault; cause: string }
  | { type: 'prepared'; id: number; prompt: Prompt }
  /** `path` leads to the keyword of a refused schema, and is empty for other reasons. */
  | { type: 'refused'; id: number; reason: RefusalReason; message: string; path: string }
  | { type: 'tooLong'; id: number; tokensMin: number }
  | { type: 'postponed' | 'cancelled'; id: number }
  /** Sent for each step, with the events of all slots. A step with much text takes several messages. */
  | { type: 'step'; events: readonly StepEvent[] }
  | { type: 'heartbeat'; progress: Progress }

export type StartFault = 'model' | 'settings'

/**
 * `conversation`: the chat template or the tokenizer refuses it. `schema`: it cannot be enforced. `busy`: the preparation
 * got too little processor time. `engine`: any other failure.
 */
export type RefusalReason = (typeof refusalReasons)[number]
const refusalReasons = ['conversation', 'schema', 'busy', 'engine'] as const

export type ModelFacts = {
  /** Digest of the file, or of all parts of a split one. */
  readonly modelSha256: string
  readonly slots: number
  readonly contextTokens: number
  readonly vocabularyTokens: number
  readonly chatTemplate?: ChatTemplateOrigin
  /** Bytes of the KV cache of all slots together. */
  readonly kvBytes: number
  /** Measured before anything was loaded. */
  readonly availableBytes: number
  /** Human-readable name of the device that computes. */
  readonly device: string
  /** True if a GPU computes, which does not promise the same reply for the same request. */
  readonly isOnGpu: boolean
  /** Name of our own kernels; `llama.cpp` if none of ours are used. */
  readonly kernels: string
  /** Our own kernels' share of all multiplied weights, by size in bytes: 0 to 1. */
  readonly ownWeightsShare: number
  /** Set if our own kernels are not used because they compute the model differently from llama.cpp. */
  readonly kernelsDifference: string | undefined
  readonly sandbox: readonly SandboxLayer[]
  readonly dialect: Dialect
  readonly fingerprint: string
}

/** The facts that the rest of the service uses. */
export type EngineFacts = Omit<ModelFacts, 'modelSha256'>

export type StepEvent =
  /** The engine has begun to compute the prompt of the generation. */
  | { type: 'started'; id: number; cachedTokens: number }
  | {
      type: 'delta'
      id: number
      text: string
      tokens: number
      /** Ids of the sampled tokens. */
      sampled: readonly number[]
      logprobs?: readonly SampledLogprob[]
      reasoning?: string
      reasoningTokens?: number
    }
  | { type: 'finish'; id: number; reason: EngineFinishReason; completionTokens: number }
  | { type: 'failed'; id: number }
  /** The generation was not started: every reply in its format is longer than `maxTokens`. */
  | { type: 'cannotFit'; id: number; tokensEnough: number }

/** Contents of a heartbeat, by which a hang is detected. */
export type Progress = {
  /** Advances many times within a step. */
  readonly progress: number
  readonly slotsBusy: number
}

const textCharsMax = 1024 * 1024
const messageCharsMax = 2000
const promptTokensMax = 4 * 1024 * 1024
const eventsMax = 1024
const tokenBytesMax = 4096

/** Returns undefined for a message that a working child never sends. */
export function parseChildMessage(value: unknown): ChildMessage | undefined {
  if (!isRecord(value)) return undefined
  switch (value['type']) {
    case 'loading':
      return isShare(value['share']) ? { type: 'loading', share: value['share'] } : undefined
    case 'loaded': {
      const model = parseModelFacts(value['model'])
      return model && { type: 'loaded', model }
    }
    case 'failed':
      return parseFailed(value)
    case 'prepared': {
      const prompt = parsePrompt(value['prompt'])
      return prompt !== undefined && isCount(value['id'])
        ? { type: 'prepared', id: value['id'], prompt }
        : undefined
    }
    case 'refused':
      return parseRefusal(value)
    case 'tooLong':
      return isCount(value['id']) && isCount(value['tokensMin'])
        ? { type: 'tooLong', id: value['id'], tokensMin: value['tokensMin'] }
        : undefined
    case 'postponed':
    case 'cancelled':
      return isCount(value['id']) ? { type: value['type'], id: value['id'] } : undefined
    case 'step':
      return parseStep(value['events'])
    case 'heartbeat': {
      const progress = parseProgress(value['progress'])
      return progress && { type: 'heartbeat', progress }
    }
    default:
      return undefined
  }
}

function parseModelFacts(value: unknown): ModelFacts | undefined {
  if (!isRecord(value)) return undefined
  const { slots, contextTokens, vocabularyTokens, fingerprint } = value
  const { kvBytes, availableBytes, device, kernels, ownWeightsShare, kernelsDifference } = value
  const { modelSha256, sandbox, chatTemplate, isOnGpu } = value
  if (!isCount(slots) || !isCount(contextTokens) || !isText(fingerprint, 64)) return undefined
  if (
    !isText(modelSha256, 64) ||
    !isCount(vocabularyTokens) ||
    !isCount(kvBytes) ||
    !isCount(availableBytes) ||
    !isText(device, 200) ||
    typeof isOnGpu !== 'boolean' ||
    !isText(kernels, 64) ||
    !isShare(ownWeightsShare) ||
    !(kernelsDifference === undefined || isText(kernelsDifference, 300)) ||
    !isSandbox(sandbox) ||
    !isTemplateOrigin(chatTemplate)
  )
    return undefined
  const dialect = parseDialect(value['dialect'])
  if (dialect === undefined) return undefined
  return {
    modelSha256,
    slots,
    contextTokens,
    vocabularyTokens,
    ...(chatTemplate !== undefined && { chatTemplate }),
    kvBytes,
    availableBytes,
    device,
    isOnGpu,
    kernels,
    ownWeightsShare,
    kernelsDifference,
    sandbox,
    dialect,
    fingerprint,
  }
}

function isTemplateOrigin(value: unknown): value is ChatTemplateOrigin | undefined {
  return value === undefined || value === 'model' || value === 'setting' || value === 'ChatML'
}

function parseFailed({ fault, cause }: Fields): ChildMessage | undefined {
  const known = fault === 'model' || fault === 'settings'
  return known && isText(cause, messageCharsMax) ? { type: 'failed', fault, cause } : undefined
}

function parsePrompt(value: unknown): Prompt | undefined {
  if (!isRecord(value)) return undefined
  const { tokens, replies, texts: given } = value
  const thought = thoughtStates.find((state) => state === value['thought'])
  if (!isTokens(tokens) || !(replies instanceof Int32Array)) return undefined
  if (replies.length % 2 !== 0) return undefined
  const areAscending = replies.every((at, index) => at > (replies[index - 1] ?? -1))
  if (!areAscending || (replies.at(-1) ?? 0) > tokens.length) return undefined
  const prompt = { tokens, replies, ...(thought !== undefined && { thought }) }
  if (given === undefined) return prompt
  const texts = parseTexts(given)
  return texts?.ends.length === tokens.length ? { ...prompt, texts } : undefined
}

function parseTexts(value: unknown): TokenTexts | undefined {
  if (!isRecord(value) || !isNames(value['names'])) return undefined
  const { bytes, ends, names } = value
  if (!(bytes instanceof Uint8Array) || !(ends instanceof Int32Array)) return undefined
  const areAscending = ends.every((end, index) => end >= (ends[index - 1] ?? 0))
  return areAscending && (ends.at(-1) ?? 0) === bytes.length ? { bytes, ends, names } : undefined
}

function parseRefusal({ id, reason: given, message, path }: Fields): ChildMessage | undefined {
  const reason = refusalReasons.find((known) => known === given)
  if (!isCount(id) || reason === undefined || !isText(message, messageCharsMax)) return undefined
  return isText(path, messageCharsMax) ? { type: 'refused', id, reason, message, path } : undefined
}

function parseStep(values: unknown): ChildMessage | undefined {
  if (!Array.isArray(values) || values.length > eventsMax) return undefined
  const events: StepEvent[] = []
  for (const value of values) {
    const event = isRecord(value) ? parseStepEvent(value) : undefined
    if (event === undefined) return undefined
    events.push(event)
  }
  return { type: 'step', events }
}

function parseStepEvent(value: Fields): StepEvent | undefined {
  const { id } = value
  if (!isCount(id)) return undefined
  switch (value['type']) {
    case 'started':
      return isCount(value['cachedTokens'])
        ? { type: 'started', id, cachedTokens: value['cachedTokens'] }
        : undefined
    case 'delta':
      return parseDelta(id, value)
    case 'finish': {
      const { reason, completionTokens } = value
      const known = reason === 'stop' || reason === 'length' || reason === 'aborted'
      return known && isCount(completionTokens)
        ? { type: 'finish', id, reason, completionTokens }
        : undefined
    }
    case 'failed':
      return { type: 'failed', id }
    case 'cannotFit': {
      const { tokensEnough } = value
      return isCount(tokensEnough) ? { type: 'cannotFit', id, tokensEnough } : undefined
    }
    default:
      return undefined
  }
}

function parseDelta(
  id: number,
  { text, tokens, sampled, logprobs, reasoning, reasoningTokens }: Fields,
): StepEvent | undefined {
  if (!isText(text, textCharsMax) || !Array.isArray(sampled) || !sampled.every(isCount))
    return undefined
  if (tokens !== sampled.length) return undefined
  let delta: Extract<StepEvent, { type: 'delta' }> = { type: 'delta', id, text, tokens, sampled }
  if (reasoning !== undefined) {
    if (!isText(reasoning, textCharsMax) || !isCount(reasoningTokens)) return undefined
    delta = { ...delta, reasoning, reasoningTokens }
  }
  if (logprobs === undefined) return delta
  // Those of earlier tokens may come with later text, which shows that the tokens belong to the content.
  if (!Array.isArray(logprobs) || logprobs.length > textCharsMax) return undefined
  if (!logprobs.every(isSampledLogprob)) return undefined
  return { ...delta, logprobs: logprobs.map(toSampledLogprob) }
}

/** Copies the known members: others could be values that JSON cannot express. */
function toSampledLogprob({ top, ...one }: SampledLogprob): SampledLogprob {
  return { ...toTokenLogprob(one), top: top.map(toTokenLogprob) }
}

function toTokenLogprob({ text, bytes, logprob }: TokenLogprob): TokenLogprob {
  return { text, bytes, logprob }
}

function isSampledLogprob(value: unknown): value is SampledLogprob {
  if (!isTokenLogprob(value) || !('top' in value)) return false
  const { top } = value
  return (
    Array.isArray(top) &&
    top.length <= chatParameters.top_logprobs.maximum &&
    top.every(isTokenLogprob)
  )
}

function isTokenLogprob(value: unknown): value is TokenLogprob {
  if (!isRecord(value)) return false
  const { text, bytes, logprob } = value
  if (!isText(text, tokenBytesMax) || typeof logprob !== 'number') return false
  return Array.isArray(bytes) && bytes.length <= tokenBytesMax && bytes.every(isCount)
}

function parseProgress(value: unknown): Progress | undefined {
  if (!isRecord(value)) return undefined
  const { progress, slotsBusy } = value
  return isCount(progress) && isCount(slotsBusy) ? { progress, slotsBusy } : undefined
}

type Fields = Readonly<Record<string, unknown>>

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1
}

function isText(value: unknown, charsMax: number): value is string {
  return typeof value === 'string' && value.length <= charsMax
}

function isSandbox(value: unknown): value is SandboxLayer[] {
  const known: readonly unknown[] = sandboxLayers
  return (
    Array.isArray(value) &&
    value.length <= known.length &&
    value.every((layer) => known.includes(layer))
  )
}

function isNames(value: unknown): value is Record<number, string> {
  return isRecord(value) && Object.values(value).every((name) => isText(name, tokenBytesMax))
}

function isTokens(value: unknown): value is Int32Array {
  return value instanceof Int32Array && value.length <= promptTokensMax
}
