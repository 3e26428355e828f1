import { messagesMax, topLogprobsMax } from '../../limits.ts'
import type { EmbeddedSettings, GpuKind } from '../engine-settings.ts'
import type {
  ChatMessage,
  EngineFinishReason,
  GenerationRequest,
  Prompt,
  SampledLogprob,
  TokenLogprob,
} from '../engine.ts'
import type { ReplyFormat } from '../reply-format.ts'

/** Messages between the service (parent) and the engine process (child). The child trusts the parent, not the reverse. */
export type ParentMessage =
  | { type: 'start'; settings: ChildSettings }
  | {
      type: 'prepare'
      id: number
      messages: readonly ChatMessage[]
      format?: ReplyFormat | undefined
    }
  | { type: 'generate'; id: number; request: GenerationRequest }
  | { type: 'abort'; id: number }
  | { type: 'close' }

/** The engine's settings as configured, the files that were found for them, and the watch over the process. */
export type ChildSettings = Omit<EmbeddedSettings, 'gpu'> &
  EngineBuild & { readonly parentPid: number; readonly heartbeatMs: number }

/** The addon and the libraries of llama.cpp that the engine process loads. */
export type EngineBuild = {
  readonly addonPath: string
  readonly librariesPath: string
  /** Has a second build of the GPU backend, for when that of `librariesPath` finds no device. */
  readonly fallbackLibrariesPath: string | undefined
  /** If not `required`, the CPU is used when no device is found. Undefined: the CPU. */
  readonly gpu: { readonly kind: GpuKind; readonly required: boolean } | undefined
  /** Version that the addon was built with: another llama.cpp is refused. */
  readonly llamaBuild: string
}

export type ChildMessage =
  | { type: 'loaded'; model: ModelFacts }
  /** The child cannot start. `cause` is a clause about the file (`model`) or a sentence (`settings`). */
  | { type: 'failed'; fault: StartFault; cause: string }
  | { type: 'prepared'; id: number; prompt: Prompt }
  /** `path` leads to the keyword of a refused schema, and is empty for other reasons. */
  | { type: 'refused'; id: number; reason: RefusalReason; message: string; path: string }
  /** Sent once a step, with the events of all slots. */
  | { type: 'step'; events: readonly StepEvent[] }
  | { type: 'heartbeat'; progress: Progress }

export type StartFault = 'model' | 'settings'

/** `conversation`: the chat template refuses it; `schema`: it cannot be enforced; `engine`: any other failure. */
export type RefusalReason = 'conversation' | 'schema' | 'engine'

export type ModelFacts = {
  readonly slots: number
  readonly contextTokens: number
  readonly vocabularyTokens: number
  /** Sum over all slots. */
  readonly kvBytes: number
  /** Measured before anything was loaded. */
  readonly availableBytes: number
  /** Human-readable name of the device that computes. */
  readonly device: string
  readonly fingerprint: string
}

export type StepEvent =
  /** The computation of its prompt has begun. */
  | { type: 'started'; id: number; cachedTokens: number }
  | {
      type: 'delta'
      id: number
      text: string
      tokens: number
      logprobs?: readonly SampledLogprob[]
    }
  | { type: 'finish'; id: number; reason: EngineFinishReason; completionTokens: number }
  | { type: 'failed'; id: number }

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
  const { kvBytes, availableBytes, device } = value
  if (!isCount(slots) || !isCount(contextTokens) || !isText(fingerprint, 64)) return undefined
  if (
    !isCount(vocabularyTokens) ||
    !isCount(kvBytes) ||
    !isCount(availableBytes) ||
    !isText(device, 200)
  )
    return undefined
  return { slots, contextTokens, vocabularyTokens, kvBytes, availableBytes, device, fingerprint }
}

function parseFailed({ fault, cause }: Fields): ChildMessage | undefined {
  const known = fault === 'model' || fault === 'settings'
  return known && isText(cause, messageCharsMax) ? { type: 'failed', fault, cause } : undefined
}

function parsePrompt(value: unknown): Prompt | undefined {
  if (!isRecord(value)) return undefined
  const { tokens, replies } = value
  if (!isTokens(tokens) || !(replies instanceof Int32Array)) return undefined
  if (replies.length > 2 * messagesMax || replies.length % 2 !== 0) return undefined
  const areAscending = replies.every((at, index) => at > (replies[index - 1] ?? -1))
  return areAscending && (replies.at(-1) ?? 0) <= tokens.length ? { tokens, replies } : undefined
}

function parseRefusal({ id, reason, message, path }: Fields): ChildMessage | undefined {
  const known = reason === 'conversation' || reason === 'schema' || reason === 'engine'
  if (!isCount(id) || !known || !isText(message, messageCharsMax)) return undefined
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
    default:
      return undefined
  }
}

function parseDelta(id: number, { text, tokens, logprobs }: Fields): StepEvent | undefined {
  if (!isText(text, textCharsMax) || !isCount(tokens)) return undefined
  if (logprobs === undefined) return { type: 'delta', id, text, tokens }
  if (!Array.isArray(logprobs) || logprobs.length > tokens) return undefined
  return logprobs.every(isSampledLogprob)
    ? { type: 'delta', id, text, tokens, logprobs }
    : undefined
}

function isSampledLogprob(value: unknown): value is SampledLogprob {
  if (!isTokenLogprob(value) || !('top' in value)) return false
  const { top } = value
  return Array.isArray(top) && top.length <= topLogprobsMax && top.every(isTokenLogprob)
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

function isText(value: unknown, charsMax: number): value is string {
  return typeof value === 'string' && value.length <= charsMax
}

function isTokens(value: unknown): value is Int32Array {
  return value instanceof Int32Array && value.length <= promptTokensMax
}
