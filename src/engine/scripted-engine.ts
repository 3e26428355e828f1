import { ServiceError } from '../errors.ts'
import type {
  ChatMessage,
  Engine,
  EngineFinishReason,
  EngineInfo,
  EngineState,
  GenerationEvent,
  GenerationRequest,
  Prompt,
  SampledLogprob,
} from './engine.ts'
import type { EngineStats } from './engine-stats.ts'
import { SchemaRefused } from './grammar/grammar.ts'
import { compileFormat, type ReplyFormat, schemaError } from './reply-format.ts'
import { SlotQueue } from './slot-queue.ts'
import { StopMatcher } from './stop-matcher.ts'
import { callText } from './tools.ts'

export type ScriptedEngineOptions = {
  readonly slots: number
  readonly contextTokens: number
  /** Of one generation. 0 is as fast as possible. */
  readonly tokensPerSecond: number
  readonly prefillMs: number
  /** What is said to a conversation; without it a made-up but repeatable text. */
  readonly reply?: (messages: readonly ChatMessage[]) => string
  /** A conversation that holds `marker` fails after so many tokens. */
  readonly failure?: { readonly marker: string; readonly afterTokens: number }
}

/** Its tokens are words; biases are taken and have no effect. */
const scriptedVocabularyTokens = 8192

type Script = { readonly messages: readonly ChatMessage[]; readonly fails: boolean }

/**
 * An engine without a model, for tests, panel work and clients' CI. The same messages get the same
 * reply; with a temperature the seed counts too. A word with the space after it is one token. A
 * format gets a short text that fulfils it.
 */
export class ScriptedEngine implements Engine {
  readonly info: EngineInfo
  readonly #options: ScriptedEngineOptions
  readonly #slots: SlotQueue
  /** By the tokens of a prepared prompt: they alone do not tell what was said. */
  readonly #scripts = new WeakMap<Int32Array, Script>()
  readonly #closing = new AbortController()
  #promptTokens = 0
  #completionTokens = 0

  constructor(options: ScriptedEngineOptions) {
    this.#options = options
    this.#slots = new SlotQueue(options.slots)
    this.info = {
      contextTokens: options.contextTokens,
      slots: options.slots,
      vocabularyTokens: scriptedVocabularyTokens,
      fingerprint: 'fp_scripted0000',
    }
  }

  get state(): EngineState {
    return this.#closing.signal.aborted ? 'closed' : 'ready'
  }

  /** There is no process but this one. */
  get pid(): undefined {
    return undefined
  }

  stats(): EngineStats {
    return {
      slots: this.info.slots,
      slotsBusy: this.#slots.busy,
      restarts: 0,
      steps: 0,
      promptTokens: this.#promptTokens,
      completionTokens: this.#completionTokens,
      guessedTokens: 0,
      kvReuseHits: 0,
      kvReusedTokens: 0,
    }
  }

  async prepare(
    messages: readonly ChatMessage[],
    signal: AbortSignal,
    format?: ReplyFormat,
  ): Promise<Prompt> {
    signal.throwIfAborted()
    if (this.#closing.signal.aborted) throw closedError()
    if (format !== undefined) exampleOf(format)
    const tokens = toTokens(messages)
    const marker = this.#options.failure?.marker
    const fails = marker !== undefined && messages.some(({ content }) => content.includes(marker))
    this.#scripts.set(tokens, { messages, fails })
    return { tokens, replies: new Int32Array() }
  }

  async *generate(
    request: GenerationRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerationEvent> {
    if (this.#closing.signal.aborted) throw closedError()
    const room = this.info.contextTokens - request.prompt.tokens.length
    if (room < 1) {
      throw new ServiceError(
        'context_length_exceeded',
        `The prompt has ${request.prompt.tokens.length} tokens; this model reads at most ${this.info.contextTokens - 1}.`,
      )
    }
    const taken = await this.#slots.take(signal, this.#closing.signal)
    try {
      if (!taken && !signal.aborted) throw closedError()
      if (!taken) yield { type: 'finish', reason: 'aborted', completionTokens: 0, cachedTokens: 0 }
      else yield* this.#speak(request, Math.min(request.maxTokens, room), signal)
    } finally {
      if (taken) this.#slots.give()
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
  }

  async *#speak(
    request: GenerationRequest,
    tokensMax: number,
    signal: AbortSignal,
  ): AsyncGenerator<GenerationEvent> {
    this.#promptTokens += request.prompt.tokens.length
    const words = splitWords(this.#reply(request))
    const failAfter = this.#failAfterTokens(request)
    const stop = new StopMatcher(request.stop)
    const pace = new Pace(this.#options, signal, this.#closing.signal)
    let tokens = 0
    let reason: EngineFinishReason = 'length'
    while (tokens < tokensMax) {
      if (!pace.isDue(tokens)) await pace.until(tokens)
      if (this.#closing.signal.aborted) throw closedError()
      if (signal.aborted) {
        reason = 'aborted'
        break
      }
      if (tokens >= failAfter) {
        throw new ServiceError('engine_failed', 'The engine stopped unexpectedly. Try again.')
      }
      const word = words[tokens]
      tokens += 1
      this.#completionTokens += 1
      if (word === undefined) {
        reason = 'stop'
        yield { type: 'delta', text: stop.flush(), tokens: 1 }
        break
      }
      const { text, stopped } = stop.push(word)
      yield { type: 'delta', text, tokens: 1, ...certainty(word, request.topLogprobs) }
      if (stopped) {
        reason = 'stop'
        break
      }
    }
    const rest = reason === 'length' ? stop.flush() : ''
    if (rest !== '') yield { type: 'delta', text: rest, tokens: 0 }
    yield { type: 'finish', reason, completionTokens: tokens, cachedTokens: 0 }
  }

  #reply({ prompt, sampling, format }: GenerationRequest): string {
    // Who may call a tool and need not, does not.
    const isForced = format?.type !== 'tools' || format.choice !== 'auto'
    if (format !== undefined && isForced) return exampleOf(format)
    const script = this.#scripts.get(prompt.tokens)
    if (script !== undefined && this.#options.reply !== undefined) {
      return this.#options.reply(script.messages)
    }
    const seed = sampling.temperature > 0 ? sampling.seed : 0
    return madeUpReply(script?.messages.at(-1)?.content ?? '', hashTokens(prompt.tokens, seed))
  }

  #failAfterTokens({ prompt }: GenerationRequest): number {
    const fails = this.#scripts.get(prompt.tokens)?.fails ?? false
    return fails ? (this.#options.failure?.afterTokens ?? 0) : Infinity
  }
}

/** A short text that fulfils the format, always the same. */
function exampleOf(format: ReplyFormat): string {
  try {
    return compileFormat(format).example()
  } catch (error) {
    if (error instanceof SchemaRefused) throw schemaError(error)
    throw error
  }
}

/** Nothing else could have been said. */
function certainty(
  word: string,
  top: number | undefined,
): { logprobs?: readonly SampledLogprob[] } {
  if (top === undefined) return {}
  const said = { text: word, bytes: [...Buffer.from(word)], logprob: 0 }
  return { logprobs: [{ ...said, top: top > 0 ? [said] : [] }] }
}

/** When each token is due. Without a rate it only lets other work in now and then. */
class Pace {
  readonly #startMs: number
  readonly #msPerToken: number
  readonly #signals: readonly AbortSignal[]

  constructor(options: ScriptedEngineOptions, ...signals: AbortSignal[]) {
    this.#startMs = performance.now() + options.prefillMs
    this.#msPerToken = options.tokensPerSecond === 0 ? 0 : 1000 / options.tokensPerSecond
    this.#signals = signals
  }

  isDue(token: number): boolean {
    if (this.#msPerToken === 0 && token > 0) return token % 64 !== 0
    return performance.now() >= this.#dueMs(token)
  }

  async until(token: number): Promise<void> {
    const waitMs = Math.max(0, this.#dueMs(token) - performance.now())
    await abortableDelay(waitMs, this.#signals)
  }

  #dueMs(token: number): number {
    return this.#startMs + token * this.#msPerToken
  }
}

/** Ends early when a signal aborts; leaves neither timer nor listener. */
async function abortableDelay(ms: number, signals: readonly AbortSignal[]): Promise<void> {
  if (signals.some((signal) => signal.aborted)) return
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      for (const signal of signals) signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    for (const signal of signals) signal.addEventListener('abort', done)
  })
}

function closedError(): ServiceError {
  return new ServiceError('shutting_down', 'The service is shutting down. Try again elsewhere.')
}

function splitWords(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? []
}

/** One number a word, and four for each message as a chat template would add. */
function toTokens(messages: readonly ChatMessage[]): Int32Array {
  const tokens: number[] = []
  for (const { role, content, toolCalls = [] } of messages) {
    tokens.push(1, hashText(role), 2)
    for (const text of [content, ...toolCalls.map(callText)]) {
      for (const word of splitWords(text)) tokens.push(hashText(word))
    }
    tokens.push(3)
  }
  return Int32Array.from(tokens)
}

/** FNV-1a, kept positive. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 1
}

function hashTokens(tokens: Int32Array, seed: number): number {
  let hash = Math.imul(seed % 0x7fffffff, 0x9e3779b1) ^ 0x811c9dc5
  for (const token of tokens) hash = Math.imul(hash ^ token, 0x01000193)
  return hash >>> 0
}

const vocabulary =
  'a small bird sings beside the quiet river while morning light moves over grass and stone it waits then flies to another branch where the wind is soft'.split(
    ' ',
  )

/** Quotes the beginning of what was said, then 8 to 39 words that follow from the hash. */
function madeUpReply(said: string, hash: number): string {
  const quoted = splitWords(said.slice(0, 200)).slice(0, 8).join('').trim().toWellFormed()
  const words: string[] = []
  let state = hash
  for (let left = 8 + (hash % 32); left > 0; left--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    words.push(vocabulary[(state >>> 16) % vocabulary.length] ?? '')
  }
  return `You said “${quoted}”. Here ${words.join(' ')}.`
}
