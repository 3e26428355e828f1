import { newId, type TraceContext, writeTraceparent } from './trace-context.ts'

/**
 * All attributes of spans. No attribute holds prompts, replies, keys, bodies, client addresses or query strings, so
 * they are never exported.
 */
export type SpanAttributes = {
  'http.request.method'?: string
  /** The pattern of the route, never the requested URL. */
  'http.route'?: string
  'http.response.status_code'?: number
  'url.scheme'?: string
  'error.type'?: string
  /** Host of the upstream engine. */
  'server.address'?: string
  'server.port'?: number
  'gen_ai.operation.name'?: 'chat'
  'gen_ai.provider.name'?: 'pipit'
  'gen_ai.output.type'?: 'text' | 'json'
  'gen_ai.request.model'?: string
  'gen_ai.request.max_tokens'?: number
  'gen_ai.request.choice.count'?: number
  'gen_ai.request.temperature'?: number
  'gen_ai.request.top_p'?: number
  'gen_ai.request.top_k'?: number
  'gen_ai.request.seed'?: number
  'gen_ai.request.frequency_penalty'?: number
  'gen_ai.request.presence_penalty'?: number
  'gen_ai.response.model'?: string
  'gen_ai.response.finish_reasons'?: readonly string[]
  'gen_ai.usage.input_tokens'?: number
  'gen_ai.usage.output_tokens'?: number
  'gen_ai.usage.cache_read.input_tokens'?: number
  'pipit.request.id'?: string
  'pipit.request.stream'?: boolean
  'pipit.outcome'?: string
}

/** Numbers of OTLP's enumeration of span kinds. */
export const spanKinds = { internal: 1, server: 2, client: 3 } as const
type SpanKind = (typeof spanKinds)[keyof typeof spanKinds]

type SpanEvent = { readonly name: 'queue.left' | 'first_token'; readonly atMs: number }

/** A span that has ended. Times are in milliseconds since 1970. */
export type EndedSpan = TraceContext & {
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: SpanKind
  readonly startMs: number
  readonly endMs: number
  readonly attributes: SpanAttributes
  readonly events: readonly SpanEvent[]
  readonly isError: boolean
}

type SpanOptions = {
  readonly name: string
  readonly kind: SpanKind
  readonly traceId: string
  /** Absent for the first span of a trace. */
  readonly parentSpanId: string | undefined
  readonly onEnd: (span: EndedSpan) => void
}

/** One step of a request, from its creation to `end`. */
export class Span {
  readonly #options: SpanOptions
  readonly #context: TraceContext
  readonly #startMs = Date.now()
  /** Durations use the monotonic clock, because the wall clock may jump. */
  readonly #startSteadyMs = performance.now()
  readonly #events: SpanEvent[] = []
  #attributes: SpanAttributes = {}
  #isEnded = false

  constructor(options: SpanOptions) {
    this.#options = options
    this.#context = { traceId: options.traceId, spanId: newId(8), isSampled: true }
  }

  /** The `traceparent` header with which another service continues the trace below this span. */
  get traceparent(): string {
    return writeTraceparent(this.#context)
  }

  child(name: string, kind: SpanKind): Span {
    const { onEnd } = this.#options
    const { traceId, spanId } = this.#context
    return new Span({ name, kind, traceId, parentSpanId: spanId, onEnd })
  }

  set(attributes: SpanAttributes): void {
    this.#attributes = { ...this.#attributes, ...attributes }
  }

  /** @param steadyMs time of the event, from `performance.now()` */
  addEvent(name: SpanEvent['name'], steadyMs: number): void {
    this.#events.push({ name, atMs: this.#wallMs(steadyMs) })
  }

  /**
   * Ends and exports the span. Later calls have no effect.
   * @param name replaces the name that the span was created with
   * @param error the `error.type` of a failure
   */
  end({ name, error }: { name?: string; error?: string | undefined } = {}): void {
    if (this.#isEnded) return
    this.#isEnded = true
    if (error !== undefined) this.set({ 'error.type': error })
    const { parentSpanId, kind, onEnd } = this.#options
    onEnd({
      ...this.#context,
      parentSpanId,
      name: name ?? this.#options.name,
      kind,
      startMs: this.#startMs,
      endMs: this.#wallMs(performance.now()),
      attributes: this.#attributes,
      events: this.#events,
      isError: error !== undefined,
    })
  }

  #wallMs(steadyMs: number): number {
    return this.#startMs + Math.max(0, steadyMs - this.#startSteadyMs)
  }
}

/** Returns a random id. W3C forbids an id of only zeros, which in practice never occurs. */
