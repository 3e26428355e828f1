import { hash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { strict as assert } from 'node:assert'
import { ServiceError, shuttingDown } from '../../errors.ts'
import { type Logger, silentLogger } from '../../telemetry/logger.ts'
import type {
  ChatMessage,
  Engine,
  EngineInfo,
  EngineState,
  EngineStats,
  GenerationEvent,
  GenerationOptions,
  GenerationRequest,
  PrepareOptions,
  Prompt,
  UpstreamStatus,
} from '../engine.ts'
import { boundOfPrompt, canCount, countPrompt } from './count-prompt.ts'
import { hashText } from './endpoints/choose-endpoint.ts'
import type { Endpoint } from './endpoints/endpoint.ts'
import { Endpoints } from './endpoints/endpoints.ts'
import { RetryBudget } from './retry-budget.ts'
import {
  faultOf,
  readRetryAfter,
  toErrorOfPart,
  toServiceError,
  UpstreamFault,
} from './upstream-fault.ts'
import {
  estimatedTokensMax,
  lostRetriesMax,
  retriesMax,
  upstreamContextTokensMax,
  type UpstreamTimeouts,
  upstreamTimeouts,
} from './upstream-limits.ts'
import { assumedContext, type UpstreamSettings } from './upstream-settings.ts'
import { requireParameters, variablesOf } from './wire/parameters.ts'
import { type Pause, readEvents } from './wire/read-events.ts'
import { ReplyReader } from './wire/reply-reader.ts'
import { completionBody } from './wire/request-body.ts'
import { type Attempts, Connections, readText } from './wire/send.ts'

/** A reply that has ended without a fault. */
type Ended = {
  readonly finish: Extract<GenerationEvent, { type: 'finish' }>
  readonly reply: ReplyReader
  /** Completion tokens of the deltas. */
  readonly counted: number
}

type Conversation = {
  readonly messages: readonly ChatMessage[]
  /** False if the number of prompt tokens is only an upper bound. */
  readonly isCounted: boolean
}

/** A request to send: its body, its headers, and the prefix hash that selects the upstream. */
type Work = {
  /** The request with the `maxTokens` that the body has. */
  readonly request: GenerationRequest
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly prefix: number | undefined
  readonly attempts: Attempts
  readonly noteServer: ((url: string) => void) | undefined
}

/** Leading characters of each message that enter the prefix hash, which selects the upstream. */
const prefixCharsMax = 2048
const errorMs = 5000

/**
 * Forwards generations to upstream engines over the OpenAI API. Everything that they send is validated
 * (docs/decisions/0020). A request is retried only while no part of its reply has been passed on.
 */
export class UpstreamEngine implements Engine {
  readonly #settings: UpstreamSettings
  readonly #timeouts: UpstreamTimeouts
  readonly #connections: Connections
  readonly #endpoints: Endpoints
  readonly #headers: Readonly<Record<string, string>>
  readonly #saltKey: string | Buffer
  readonly #retries = new RetryBudget()
  readonly #closing = new AbortController()
  /** Conversations, keyed by the prompt's token array. Only the length of the array is meaningful. */
  readonly #conversations = new WeakMap<Int32Array, Conversation>()
  readonly #fixedInfo: Omit<EngineInfo, 'contextTokens'>
  #busy = 0
  #counts = { promptTokens: 0, completionTokens: 0, cachedTokens: 0 }

  /** Probes each upstream once, then starts even if none has answered. Further probes run in the background. */
  static async start(
    settings: UpstreamSettings,
    logger: Logger = silentLogger,
    timeouts: Partial<UpstreamTimeouts> = {},
  ): Promise<UpstreamEngine> {
    const engine = new UpstreamEngine(settings, logger, { ...upstreamTimeouts, ...timeouts })
    await engine.#endpoints.start()
    return engine
  }

  private constructor(settings: UpstreamSettings, logger: Logger, timeouts: UpstreamTimeouts) {
    const { key, slots, flavour, model } = settings
    this.#settings = settings
    this.#timeouts = timeouts
    this.#headers = {
      'user-agent': 'pipit',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    }
    // Replicas with the same key give an account the same cache salt, so they share its cached prefixes.
    this.#saltKey = key ?? randomBytes(32)
    this.#connections = new Connections(timeouts)
    const shared = { settings, timeouts, connections: this.#connections, logger }
    this.#endpoints = new Endpoints({ ...shared, headers: this.#headers })
    this.#fixedInfo = {
      slots,
      vocabularyTokens: 2 ** 31,
      dialect: { toolForm: 'structured', variables: variablesOf(flavour) },
      completesFormat: false,
      fingerprint: `fp_${hash('sha256', `${flavour} ${model}`, 'hex').slice(0, 12)}`,
    }
  }

  get state(): EngineState {
    if (this.#closing.signal.aborted) return 'closed'
    if (this.#endpoints.isUp) return 'ready'
    return this.#endpoints.hasBeenUp ? 'restarting' : 'loading'
  }

  get info(): EngineInfo {
    const { contextTokens = this.#endpoints.contextTokens } = this.#settings
    return {
      ...this.#fixedInfo,
      contextTokens: contextTokens ?? assumedContext(this.#settings),
    }
  }

  get pid(): undefined {
    return undefined
  }

  stats(): EngineStats {
    return { slotsBusy: this.#busy, restarts: 0, steps: 0, speculativeTokens: 0, ...this.#counts }
  }

  upstreams(): readonly UpstreamStatus[] {
    return this.#endpoints.status
  }

  requireSupported(generation: GenerationOptions): void {
    requireParameters(this.#settings.flavour, generation)
  }

  /**
   * Estimates an upper bound for the prompt's tokens. If the bound is large or the caller does not set `mustFit`, asks
   * the upstream for the exact number, provided that its flavour has a route for counting.
   */
  async prepare(
    messages: readonly ChatMessage[],
    signal: AbortSignal,
    options: PrepareOptions = {},
  ): Promise<Prompt> {
    signal.throwIfAborted()
    if (this.#closing.signal.aborted) throw shuttingDown()
    if (options.isPlain === true || options.withTexts === true)
      throw new ServiceError(
        'unsupported_value',
        'The tokens of a text cannot be listed: the engine behind this service does not say them.',
        { param: options.isPlain === true ? 'text' : 'messages' },
      )
    const { contextTokens } = this.info
    const bound = boundOfPrompt(messages, options)
    const isClose = bound > Math.min(estimatedTokensMax, contextTokens - 1)
    const wantsCount = options.mustFit !== true || isClose
    const count = wantsCount ? await this.#count(messages, options, signal) : undefined
    // Without an exact count, the upstream decides whether a long prompt fits.
    const tokens = new Int32Array(count ?? Math.min(bound, contextTokens - 1))
    this.#conversations.set(tokens, { messages, isCounted: count !== undefined })
    return { tokens, isBound: count === undefined, replies: new Int32Array() }
  }

  async *generate(
    request: GenerationRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerationEvent> {
    if (this.#closing.signal.aborted) throw shuttingDown()
    assert(this.#busy < this.#settings.slots, 'a generation without a slot')
    this.#busy += 1
    let ended: Ended
    try {
      ended = yield* this.#generate(request, signal)
    } finally {
      this.#busy -= 1
    }
    const { finish, reply, counted } = ended
    this.#counts.promptTokens += reply.promptTokens - finish.cachedTokens
    this.#counts.completionTokens += Math.max(0, finish.completionTokens - counted)
    this.#counts.cachedTokens += finish.cachedTokens
    yield finish
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#endpoints.close()
    this.#connections.close()
  }

  /** Sends the request, and retries it until it gets a reply or no further retry is allowed. */
  async *#generate(
    request: GenerationRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerationEvent, Ended> {
    const work = await this.#workOf(request, signal)
    const tried = new Set<Endpoint>()
    this.#retries.noteRequest()
    // Tokens are counted as they arrive, so that a rate is that of the moment and a reply that breaks counts, too.
    let counted = 0
    const count = ({ tokens }: { tokens: number }) => {
      counted += tokens
      this.#counts.completionTokens += tokens
    }
    for (;;) {
      const reply = new ReplyReader(work.request)
      let hasBegun = false
      try {
        for await (const event of this.#try(work, reply, tried, signal)) {
          hasBegun = true
          if (event.type === 'finish') return { finish: event, reply, counted }
          count(event)
          yield event
        }
        assert.fail('a try ended without a finish')
      } catch (error) {
        if (this.#closing.signal.aborted) throw shuttingDown()
        if (signal.aborted) {
          const [delta, finish] = reply.abort()
          count(delta)
          yield delta
          const unbegun = !work.attempts.isSent && { isUnbegun: true as const }
          return { finish: { ...finish, ...unbegun }, reply, counted }
        }
        if (!(error instanceof UpstreamFault)) throw error
        if (hasBegun) throw toErrorOfPart(error)
        const isAllowed =
          error.isRetryable && tried.size <= retriesMax && work.attempts.breaks <= lostRetriesMax
        if (!isAllowed || !this.#endpoints.hasOther(tried) || !this.#retries.take())
          throw toServiceError(error, this.info.contextTokens)
      }
    }
  }

  /** Sends the request to one upstream and reads its reply. The connection is always reusable or closed afterwards. */
  async *#try(
    work: Work,
    reply: ReplyReader,
    tried: Set<Endpoint>,
    signal: AbortSignal,
  ): AsyncGenerator<GenerationEvent, void> {
    const endpoint = this.#endpoints.choose(work.prefix, tried)
    tried.add(endpoint)
    endpoint.outstanding += 1
    work.noteServer?.(endpoint.url)
    const either = AbortSignal.any([signal, this.#closing.signal])
    let response: IncomingMessage | undefined
    let isComplete = false
    try {
      const firstByteByMs = performance.now() + this.#timeouts.firstByteMs
      const { body, headers, attempts } = work
      response = await this.#connections.send(
        { url: `${endpoint.url}/v1/chat/completions`, body, headers, attempts },
        either,
        firstByteByMs,
      )
      await requireStream(response)
      const pause = this.#pauseOf(work, endpoint)
      for await (const events of readEvents(response, firstByteByMs, pause)) {
        endpoint.noteLife(performance.now())
        for (const data of events) {
          const delta = reply.push(data)
          if (delta !== undefined) yield delta
        }
        if (reply.isDone) break
      }
      const last = reply.end()
      isComplete = true
      endpoint.noteSuccess()
      yield* last
    } catch (error) {
      if (error instanceof UpstreamFault && !either.aborted)
        this.#endpoints.noteFault(endpoint, error)
      throw error
    } finally {
      endpoint.outstanding -= 1
      if (!isComplete) response?.destroy()
    }
  }

  #pauseOf({ request }: Work, endpoint: Endpoint): Pause {
    const { idleMs, callIdleMs } = this.#timeouts
    const longestMs = request.format?.type === 'tools' ? callIdleMs : idleMs
    return { idleMs, longestMs, mayLast: () => endpoint.isUp }
  }

  async #workOf(request: GenerationRequest, signal: AbortSignal): Promise<Work> {
    const conversation = this.#conversations.get(request.prompt.tokens)
    assert(conversation !== undefined, 'a prompt of another engine')
    const { messages } = conversation
    const maxTokens = await this.#fittingTokens(request, conversation, signal)
    const sent = { ...request, maxTokens }
    const { flavour } = this.#settings
    const { trace } = request
    const salt = createHmac('sha256', this.#saltKey)
      .update(`cache salt ${request.cacheScope}`)
      .digest('base64url')
    const isRouter = flavour === 'openai'
    return {
      request: sent,
      body: completionBody(this.#settings, messages, sent, salt),
      headers: {
        ...this.#headers,
        'content-type': 'application/json',
        accept: 'text/event-stream',
        // All choices of a request share its id, but engines want unique ids.
        'x-request-id': `${request.requestId ?? 'pipit'}-${randomUUID().slice(0, 8)}`,
        ...(trace !== undefined && { traceparent: trace.traceparent }),
        ...(isRouter && { 'x-session-id': salt, 'x-gateway-inference-fairness-id': salt }),
      },
      attempts: { breaks: 0, isSent: false },
      prefix: isRouter ? undefined : prefixOf(request.cacheScope, messages),
      noteServer: (url) => trace?.noteServer?.(url),
    }
  }

  /**
   * Returns `max_tokens`, capped to the room left in the context, because engines refuse more. If the prompt cannot be
   * counted, `max_tokens` is unchanged and the upstream decides.
   */
  async #fittingTokens(
    request: GenerationRequest,
    { messages, isCounted }: Conversation,
    signal: AbortSignal,
  ): Promise<number> {
    const { maxTokens, prompt } = request
    const room = this.info.contextTokens - prompt.tokens.length
    if (maxTokens <= room) return maxTokens
    if (isCounted) return Math.max(1, room)
    const count = await this.#count(messages, request, signal).catch(() => undefined)
    return count === undefined
      ? maxTokens
      : Math.max(1, Math.min(maxTokens, this.info.contextTokens - count))
  }

  /** Returns the token count from the upstream. Returns undefined if the upstream cannot count or the request fails. */
  async #count(
    messages: readonly ChatMessage[],
    options: PrepareOptions,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    if (!canCount(this.#settings)) return undefined
    try {
      const { url } = this.#endpoints.choose(undefined)
      const upstream = { url, headers: this.#headers, connections: this.#connections }
      const count = await countPrompt(this.#settings, upstream, messages, options, signal)
      return count === undefined ? undefined : Math.min(count, upstreamContextTokensMax)
    } catch (error) {
      if (!(error instanceof UpstreamFault)) throw error
      return undefined
    }
  }
}

/** @throws UpstreamFault if the response is not an event stream */
async function requireStream(response: IncomingMessage): Promise<void> {
  const { statusCode = 0, headers } = response
  if (statusCode === 200) {
    if (/^text\/event-stream\b/i.test(headers['content-type'] ?? '')) return
    throw new UpstreamFault('noReply', 'the reply is no stream of events')
  }
  const retryAfterMs = readRetryAfter(headers['retry-after'], Date.now())
  const timer = setTimeout(() => response.destroy(), errorMs)
  const text = await readText(response).catch(() => '')
  clearTimeout(timer)
  throw faultOf(statusCode, text, retryAfterMs)
}

/** Hashes the account and the start of the conversation, up to and including the first user message. */
function prefixOf(cacheScope: string, messages: readonly ChatMessage[]): number {
  let prefix = hashText(cacheScope)
  for (const { role, content } of messages) {
    prefix = hashText(content.slice(0, prefixCharsMax), prefix)
    if (role === 'user') break
  }
  return prefix
}
