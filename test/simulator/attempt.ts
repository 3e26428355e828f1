import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../src/accounts/caller.ts'
import { complete } from '../../src/http/operations/chat-completions.ts'
import { toServiceError } from '../../src/http/reply/error-handler.ts'
import { toErrorBody } from '../../src/http/reply/error-response.ts'
import { EventStream, sendEventStream } from '../../src/http/reply/event-stream.ts'
import type { ChatCompletion } from '../../src/protocol/chat/chat-completion.ts'
import type { SimulatedClock } from './simulated/clock.ts'
import { tokenText, wideMark } from './simulated/engine.ts'
import { SimulatedResponse } from './simulated/response.ts'
import type { RequestEvent } from './schedule.ts'
import type { SimulatedService } from './service.ts'

/** Outcome of a request for its client. A reply is complete when its usage or its `[DONE]` has arrived. */
type End =
  | { type: 'complete'; promptTokens: number | undefined; completionTokens: number | undefined }
  | { type: 'refused' | 'failed'; code: string }
  /** `hung-up`: the client closed the connection. `lost`: the connection closed without an error message. */
  | { type: 'hung-up' | 'lost' }

/** Seed of the first choice of every request. */
const seed = 7
const route = '/v1/chat/completions'

/** One request, with what its client saw of the response. */
export class Attempt {
  readonly requestId: string
  readonly request: RequestEvent
  readonly caller: Caller
  /** True for a request that is sent after all others have ended, to check that its idempotency key is free. */
  readonly isProbe: boolean
  readonly #response: SimulatedResponse
  readonly #onFault: (fault: string) => void
  readonly #onEnd: () => void
  /** The text of each choice. */
  readonly #texts: string[]
  #usage: ChatCompletion['usage'] | undefined
  #isHungUp = false
  isReplayed = false
  readonly #clock: SimulatedClock
  readonly #sentMs: number
  /** Milliseconds from sending the request's headers to the end of the attempt. */
  durationMs = 0
  completionId: string | undefined
  end: End | undefined

  constructor(
    facts: { requestId: string; request: RequestEvent; caller: Caller; isProbe: boolean },
    clock: SimulatedClock,
    { onFault, onEnd }: { onFault: (fault: string) => void; onEnd: () => void },
  ) {
    this.requestId = facts.requestId
    this.request = facts.request
    this.caller = facts.caller
    this.isProbe = facts.isProbe
    this.#clock = clock
    this.#sentMs = clock.nowMs
    this.#onFault = onFault
    this.#onEnd = onEnd
    this.#texts = Array.from({ length: this.request.choices }, () => '')
    this.#response = new SimulatedResponse(clock, this.request.reader, {
      onText: (text) => this.#read(text),
      onClose: () => {
        if (this.end === undefined) this.#finish({ type: this.#isHungUp ? 'hung-up' : 'lost' })
      },
    })
  }

  /** Tokens that the client has read. */
  get deliveredTokens(): number {
    return this.#texts.reduce((sum, text) => sum + text.split(' ').length - 1, 0)
  }

  /** Sends the headers, and `bodyMs` later the body. */
  send(service: SimulatedService, clock: SimulatedClock): void {
    const { bodyMs, hangUpMs } = this.request
    try {
      const place = service.admission.enter(this.caller)
      this.#response.on('close', () => place.leaveUnstarted())
      if (hangUpMs !== undefined) clock.after(hangUpMs, () => this.#hangUp())
      const handle = () => {
        if (!this.#response.closed) void this.#handle(service, place)
      }
      if (bodyMs > 0) setTimeout(handle, bodyMs)
      else handle()
    } catch (error) {
      this.#refuse(error)
    }
  }

  /** Drops the connection after the service's process has ended. */
  abandon(): void {
    this.#response.abandon()
  }

  async #handle(
    service: SimulatedService,
    place: Parameters<typeof complete>[1]['place'],
  ): Promise<void> {
    const headers = this.request.once === undefined ? {} : onceHeader(this.request.once)
    const id = this.requestId
    const request = {
      id,
      headers,
      caller: this.caller,
      method: 'POST',
      routeOptions: { url: route },
    }
    const reply = {
      raw: this.#response,
      elapsedTime: 0,
      header: (name: string) => {
        if (name === 'idempotency-replayed') this.isReplayed = true
      },
      getHeaders: () => ({}),
      hijack() {},
    }
    // These objects have all members that the handler and the stream read of Fastify's objects.
    const fastifyRequest = request as unknown as FastifyRequest
    const fastifyReply = reply as unknown as FastifyReply
    service.engine.expect(id, this.caller.keyId)
    try {
      const input = { body: bodyOf(this.request), request, reply, caller: this.caller, place }
      const result = await complete(
        service.services,
        input as unknown as Parameters<typeof complete>[1],
      )
      if (result instanceof EventStream)
        await sendEventStream(result.source, fastifyRequest, fastifyReply, service.services)
      else this.#response.end(JSON.stringify(result))
    } catch (error) {
      this.#refuse(error)
    }
  }

  #refuse(error: unknown): void {
    if (this.#response.closed) return
    const failure = toServiceError(error, {} as FastifyRequest)
    if (failure.code === 'internal_error')
      this.#onFault(`internal error: ${String(describe(error))}`)
    this.#response.end(JSON.stringify(toErrorBody(failure)))
  }

  #hangUp(): void {
    if (this.end !== undefined) return
    this.#isHungUp = true
    this.#response.destroy()
  }

  #read(text: string): void {
    if (this.end !== undefined && text !== ': ping\n\n')
      this.#onFault(`${this.requestId} got more after its end: ${text}`)
    else if (text.startsWith('data: ')) this.#readEvent(text.slice('data: '.length).trim())
    else if (text.startsWith('{')) this.#readWhole(JSON.parse(text) as Wire)
  }

  #readEvent(data: string): void {
    if (data === '[DONE]') return this.#complete()
    const chunk = JSON.parse(data) as Wire
    if (chunk.error !== undefined) return this.#finish({ type: 'failed', code: chunk.error.code })
    this.completionId = chunk.id
    this.#usage = chunk.usage ?? undefined
    for (const { index, delta } of chunk.choices ?? [])
      this.#texts[index] = (this.#texts[index] ?? '') + (delta?.content ?? '')
  }

  #readWhole(whole: Wire): void {
    if (whole.error !== undefined) return this.#finish({ type: 'refused', code: whole.error.code })
    this.completionId = whole.id
    this.#usage = whole.usage ?? undefined
    for (const { index, message } of whole.choices ?? [])
      this.#texts[index] = message?.content ?? ''
    this.#complete()
  }

  #complete(): void {
    const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = this.#usage ?? {}
    if (completionTokens !== this.deliveredTokens)
      this.#onFault(`${this.requestId} got ${this.deliveredTokens} of ${completionTokens} tokens`)
    this.#finish({ type: 'complete', promptTokens, completionTokens })
  }

  #finish(end: End): void {
    this.end = end
    this.durationMs = this.#clock.nowMs - this.#sentMs
    for (const [index, text] of this.#texts.entries())
      if (text !== this.#expectedText(index, text.split(' ').length - 1))
        this.#onFault(`${this.requestId} got the text of another request: ${text}`)
    this.#onEnd()
  }

  #expectedText(choice: number, tokens: number): string {
    const name = nameOf(this.request)
    return Array.from({ length: tokens }, (_, at) => tokenText(name, seed + choice, at + 1)).join(
      '',
    )
  }
}

/** The members of a chunk, a completion or an error. */
type Wire = {
  id?: string
  error?: { code: string }
  usage?: ChatCompletion['usage'] | null
  choices?: { index: number; delta?: { content?: string }; message?: { content?: string } }[]
}

function onceHeader(once: number): Record<string, string> {
  return { 'idempotency-key': `once-${once}` }
}

function nameOf({ promptWords, replyTokens, maxTokens, isWide }: RequestEvent): string {
  return `${isWide ? wideMark : 'c'}${promptWords}-${replyTokens}-${maxTokens}`
}

function bodyOf(request: RequestEvent): object {
  const { stream, choices, maxTokens, promptWords, replyTokens } = request
  const words = Array.from({ length: Math.max(0, promptWords - 2) }, () => 'word')
  const content = [nameOf(request), replyTokens, ...words].join(' ')
  return {
    model: 'svc-o1-mini',
    messages: [{ role: 'user', content }],
    max_tokens: maxTokens,
    n: choices,
    seed,
    stream,
    ...(stream && { stream_options: { include_usage: true } }),
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
