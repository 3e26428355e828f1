import { type Span, spanKinds } from '../../telemetry/tracing/span.ts'
import type { RequestTrace } from '../../telemetry/tracing/tracer.ts'
import { isError } from '../../usage/outcome.ts'
import type { CompletionSpec, CompletionUsage } from '../completion.ts'
import type { Ending } from '../ending.ts'

/** Times of the monotonic clock; undefined if the completion did not get that far. */
type Times = { readonly startedMs?: number | undefined; readonly firstTokenMs?: number | undefined }

/** Span of one completion, following OpenTelemetry's conventions for generative AI. */
export class ChatSpan {
  readonly #span: Span
  readonly #finishReasons: string[] = []

  /** Starts the span; undefined if the request's trace is not recorded. */
  static start(trace: RequestTrace | undefined, spec: CompletionSpec): ChatSpan | undefined {
    return trace?.span && new ChatSpan(trace.span, spec)
  }

  private constructor(parent: Span, spec: CompletionSpec) {
    const { model, generation, choices, requestId, stream } = spec
    const { temperature, topP, topK, seed, frequencyPenalty, presencePenalty } = generation.sampling
    this.#span = parent.child(`chat ${model}`, spanKinds.internal)
    this.#span.set({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'pipit',
      'gen_ai.output.type': generation.format === undefined ? 'text' : 'json',
      'gen_ai.request.model': model,
      'gen_ai.response.model': model,
      'gen_ai.request.max_tokens': generation.maxTokens,
      'gen_ai.request.temperature': temperature,
      'gen_ai.request.top_p': topP,
      ...(topK !== 0 && { 'gen_ai.request.top_k': topK }),
      'gen_ai.request.seed': seed,
      ...(choices !== 1 && { 'gen_ai.request.choice.count': choices }),
      ...(frequencyPenalty !== undefined && {
        'gen_ai.request.frequency_penalty': frequencyPenalty,
      }),
      ...(presencePenalty !== undefined && { 'gen_ai.request.presence_penalty': presencePenalty }),
      'pipit.request.id': requestId,
      'pipit.request.stream': stream,
    })
  }

  /** The `traceparent` header that lets an upstream engine continue the trace. */
  get traceparent(): string {
    return this.#span.traceparent
  }

  /** Records the upstream that gets the request. After retries the last one is kept. */
  noteServer(url: string): void {
    const { hostname, port, protocol } = new URL(url)
    this.#span.set({
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    })
  }

  noteFinish(index: number, reason: string): void {
    this.#finishReasons[index] = reason
  }

  /** Ends the span; later calls have no effect. */
  end({ outcome, error }: Ending, usage?: CompletionUsage, times: Times = {}): void {
    const { startedMs, firstTokenMs } = times
    if (startedMs !== undefined) this.#span.addEvent('queue.left', startedMs)
    if (firstTokenMs !== undefined) this.#span.addEvent('first_token', firstTokenMs)
    const reasons = this.#finishReasons.filter((reason) => reason !== undefined)
    this.#span.set({
      'pipit.outcome': outcome,
      ...(usage !== undefined && {
        'gen_ai.usage.input_tokens': usage.promptTokens,
        'gen_ai.usage.output_tokens': usage.completionTokens,
        'gen_ai.usage.cache_read.input_tokens': usage.cachedTokens,
      }),
      ...(reasons.length > 0 && { 'gen_ai.response.finish_reasons': reasons }),
    })
    this.#span.end({ error: isError(outcome) ? (error?.code ?? outcome) : undefined })
  }
}
