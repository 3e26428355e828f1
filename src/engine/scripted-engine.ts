import { strict as assert } from 'node:assert'
import { contextLengthExceeded, ServiceError, shuttingDown } from '../errors.ts'
import { type Dialect, plainDialect } from './dialect/dialect.ts'
import { ReplyReader } from './dialect/reply-reader.ts'
import type { ScriptedSettings } from './engine-settings.ts'
import type {
  ChatMessage,
  Engine,
  EngineFinishReason,
  EngineInfo,
  EngineState,
  EngineStats,
  GenerationEvent,
  GenerationRequest,
  PrepareOptions,
  Prompt,
  SampledLogprob,
} from './engine.ts'
import { SchemaRefused } from './grammar/grammar.ts'
import { compileFormat, readingOf, type ReplyFormat, schemaError } from './reply-format.ts'
import { toolFormOf } from './tool-forms/detect-tool-form.ts'
import { callText } from './tools.ts'

export type ScriptedEngineOptions = Omit<ScriptedSettings, 'kind'> & {
  readonly prefillMs: number
  /** Returns the reply to a conversation. If absent, replies are made up but repeatable. */
  readonly reply?: (messages: readonly ChatMessage[]) => string
  /** Dialect of the replies. By default plain text, with tools in the generic form. */
  readonly dialect?: Dialect
  /** Conversations that contain `marker` fail after `afterTokens` tokens. */
  readonly failure?: { readonly marker: string; readonly afterTokens: number }
  /** Called before each token with the number of earlier tokens. If it returns a promise, the reply waits for it. */
  readonly gate?: (messages: readonly ChatMessage[], tokens: number) => Promise<void> | undefined
}

type Finish = Extract<GenerationEvent, { type: 'finish' }>
type Delta = Extract<GenerationEvent, { type: 'delta' }>

/** Size of the vocabulary. It bounds the token ids in `logit_bias`, but the biases have no effect. */
const scriptedVocabularyTokens = 8192

type Script = { readonly messages: readonly ChatMessage[]; readonly fails: boolean }

/**
 * An engine without a model, for tests, panel work and clients' CI. The same messages get the same reply; at a
 * temperature above 0 the seed matters too. A word with the space after it is one token. If a reply format is set, the
 * reply is a short text that conforms to it.
 */
export class ScriptedEngine implements Engine {
  readonly info: EngineInfo
  readonly #options: ScriptedEngineOptions
  /** Conversations, keyed by the prompt's token array. The tokens themselves are hashes of words. */
  readonly #scripts = new WeakMap<Int32Array, Script>()
  readonly #closing = new AbortController()
  #busy = 0
  #promptTokens = 0
  #completionTokens = 0

  constructor(options: ScriptedEngineOptions) {
    this.#options = options
    this.info = {
      contextTokens: options.contextTokens,
      slots: options.slots,
      vocabularyTokens: scriptedVocabularyTokens,
      dialect: options.dialect ?? plainDialect,
      fingerprint: 'fp_scripted0000',
    }
  }

  get state(): EngineState {
    return this.#closing.signal.aborted ? 'closed' : 'ready'
  }

  get pid(): undefined {
    return undefined
  }

  stats(): EngineStats {
    return {
      slotsBusy: this.#busy,
      restarts: 0,
      steps: 0,
      promptTokens: this.#promptTokens,
      completionTokens: this.#completionTokens,
      speculativeTokens: 0,
      cachedTokens: 0,
    }
  }

  async prepare(
    messages: readonly ChatMessage[],
    signal: AbortSignal,
    { format, isPlain = false, withTexts = false }: PrepareOptions = {},
  ): Promise<Prompt> {
    signal.throwIfAborted()
    if (this.#closing.signal.aborted) throw shuttingDown()
    if (format !== undefined) this.#exampleOf(format)
    if (isPlain || withTexts) return withWords(wordsOf(messages, isPlain))
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
    if (this.#closing.signal.aborted) throw shuttingDown()
    const tokensLeft = this.info.contextTokens - request.prompt.tokens.length
    if (tokensLeft < 1)
      throw contextLengthExceeded(String(request.prompt.tokens.length), this.info.contextTokens)
    assert(this.#busy < this.info.slots, 'a generation without a slot')
    this.#busy += 1
    let finish: Finish
    try {
      finish = yield* this.#generate(request, Math.min(request.maxTokens, tokensLeft), signal)
    } finally {
      this.#busy -= 1
    }
    yield finish
  }

  async close(): Promise<void> {
    this.#closing.abort()
  }

  async *#generate(
    request: GenerationRequest,
    tokensMax: number,
    signal: AbortSignal,
  ): AsyncGenerator<GenerationEvent, Finish> {
    this.#promptTokens += request.prompt.tokens.length
    const words = splitWords(this.#reply(request))
    const { messages = [] } = this.#scripts.get(request.prompt.tokens) ?? {}
    const failAfter = this.#failAfterTokens(request)
    const { stop, prompt, format } = request
    const reading = readingOf(this.info.dialect, format, prompt.thought)
    const reader = new ReplyReader<SampledLogprob>(stop, reading)
    const signals = [signal, this.#closing.signal]
    const pace = new Pace(this.#options, signals)
    for (let tokens = 0; tokens < tokensMax;) {
      if (!pace.isDue(tokens)) await pace.until(tokens)
      const released = this.#options.gate?.(messages, tokens)
      if (released !== undefined) await abortable(signals, (done) => onceSettled(released, done))
      if (this.#closing.signal.aborted) throw shuttingDown()
      if (signal.aborted) return finishOf('aborted', tokens)
      if (tokens >= failAfter)
        throw new ServiceError('engine_failed', 'The engine stopped unexpectedly. Try again.')
      const word = words[tokens]
      tokens += 1
      this.#completionTokens += 1
      if (word === undefined) {
        yield restOf(reader, 1, false).rest
        return finishOf('stop', tokens)
      }
      const logprobs =
        request.topLogprobs === undefined ? undefined : certainty(word, request.topLogprobs)
      const { stopped, text, reasoning, reasoningTokens = 0, entries } = reader.push(word, logprobs)
      const event: Delta = { type: 'delta', text, tokens: 1 }
      if (reasoning !== undefined) event.reasoning = reasoning
      if (reasoningTokens > 0) event.reasoningTokens = reasoningTokens
      if (entries !== undefined) event.logprobs = entries
      yield event
      if (stopped) return finishOf('stop', tokens)
    }
    const { rest, stopped } = restOf(reader, 0, true)
    if (rest.text !== '' || rest.reasoning !== undefined) yield rest
    return finishOf(stopped ? 'stop' : 'length', tokensMax)
  }

  #reply({ prompt, sampling, format }: GenerationRequest): string {
    // With the choice `auto` this engine never calls a tool.
    const forced = format?.type === 'tools' && format.choice === 'auto' ? format.final : format
    if (forced !== undefined) return this.#exampleOf(forced)
    const script = this.#scripts.get(prompt.tokens)
    if (script !== undefined && this.#options.reply !== undefined) {
      return this.#options.reply(script.messages)
    }
    const seed = sampling.temperature > 0 ? sampling.seed : 0
    return madeUpReply(script?.messages.at(-1)?.content ?? '', hashTokens(prompt.tokens, seed))
  }

  /** Returns a short text that conforms to the format, the same on every call. */
  #exampleOf(format: ReplyFormat): string {
    try {
      return compileFormat(format, toolFormOf(this.info.dialect.toolForm)).example()
    } catch (error) {
      if (error instanceof SchemaRefused) throw schemaError(error)
      throw error
    }
  }

  #failAfterTokens({ prompt }: GenerationRequest): number {
    const fails = this.#scripts.get(prompt.tokens)?.fails ?? false
    return fails ? (this.#options.failure?.afterTokens ?? 0) : Infinity
  }
}

/** Returns the end of a reply, which its reader has held back. */
function restOf(
  reader: ReplyReader<SampledLogprob>,
  tokens: number,
  isCut: boolean,
): { rest: Delta; stopped: boolean } {
  const { entries, stopped, ...read } = reader.finish(isCut)
  const rest: Delta = { type: 'delta', tokens, ...read, ...(entries && { logprobs: entries }) }
  return { rest, stopped }
}

/** Returns log-probabilities that give the word probability 1. */
function certainty(word: string, top: number): readonly SampledLogprob[] {
  const sampled = { text: word, bytes: [...Buffer.from(word)], logprob: 0 }
  return [{ ...sampled, top: top > 0 ? [sampled] : [] }]
}

/** Paces the tokens. Without a rate it only yields to other work every 64 tokens. */
class Pace {
  readonly #startMs: number
  readonly #msPerToken: number
  readonly #signals: readonly AbortSignal[]

  constructor(options: ScriptedEngineOptions, signals: readonly AbortSignal[]) {
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

/** Waits for `ms`, or until a signal aborts. */
async function abortableDelay(ms: number, signals: readonly AbortSignal[]): Promise<void> {
  await abortable(signals, (done) => {
    const timer = setTimeout(done, ms)
    return () => clearTimeout(timer)
  })
}

function onceSettled(promise: Promise<void>, done: () => void): () => void {
  void promise.finally(done)
  return () => {}
}

/**
 * Runs `begin` and waits until it calls its argument or a signal aborts. Then calls the cleanup function that `begin`
 * returned, and removes its own listeners.
 */
async function abortable(
  signals: readonly AbortSignal[],
  begin: (done: () => void) => () => void,
): Promise<void> {
  if (signals.some((signal) => signal.aborted)) return
  await new Promise<void>((resolve) => {
    const done = (): void => {
      end()
      for (const signal of signals) signal.removeEventListener('abort', done)
      resolve()
    }
    const end = begin(done)
    for (const signal of signals) signal.addEventListener('abort', done)
  })
}

function finishOf(reason: EngineFinishReason, completionTokens: number): Finish {
  return { type: 'finish', reason, completionTokens, cachedTokens: 0 }
}

function splitWords(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? []
}

/** Makes one token of each word, and four more for each message, as a chat template would. */
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

/**
 * Returns the text of each token of `toTokens`, with names for the tokens that begin messages. A plain text has only
 * its words.
 */
function wordsOf(messages: readonly ChatMessage[], isPlain: boolean): string[] {
  if (isPlain) return [...splitWords(messages[0]?.content ?? '')]
  return messages.flatMap(({ role, content, toolCalls = [] }) => {
    const words = [content, ...toolCalls.map(callText)].flatMap(splitWords)
    return [`<|${role}|>`, '', '', ...words, '']
  })
}

/** Maps each word to one token of the vocabulary. */
function withWords(words: readonly string[]): Prompt {
  const pieces = words.map((word) => Buffer.from(word))
  let end = 0
  const ends = Int32Array.from(pieces, ({ length }) => (end += length))
  const tokens = Int32Array.from(words, (word) => hashText(word) % scriptedVocabularyTokens)
  const texts = { bytes: Buffer.concat(pieces), ends, names: {} }
  return { tokens, replies: new Int32Array(), texts }
}

/** Returns a 31-bit FNV-1a hash. */
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

/** Quotes the beginning of the message, then adds 8 to 39 words chosen by the hash. */
function madeUpReply(message: string, hash: number): string {
  const quoted = splitWords(message.slice(0, 200)).slice(0, 8).join('').trim().toWellFormed()
  const words: string[] = []
  let state = hash
  for (let left = 8 + (hash % 32); left > 0; left--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    words.push(vocabulary[(state >>> 16) % vocabulary.length] ?? '')
  }
  return `You said “${quoted}”. Here ${words.join(' ')}.`
}
