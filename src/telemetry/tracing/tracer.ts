import { Span, spanKinds, type EndedSpan } from './span.ts'
import { newId, readTraceparent, writeTraceparent } from './trace-context.ts'
import type { Sampling } from './tracing-settings.ts'

/** The trace that a request belongs to. */
export type RequestTrace = {
  /** The `traceparent` header to send to other services. */
  readonly traceparent: string
  /** Absent if the request is not recorded. */
  readonly span?: Span
}

/** Starts spans for requests whose traces are sampled. */
export class Tracer {
  readonly #sampling: Sampling
  readonly #onEnd: (span: EndedSpan) => void

  constructor(sampling: Sampling, onEnd: (span: EndedSpan) => void) {
    this.#sampling = sampling
    this.#onEnd = onEnd
  }

  /** Continues the caller's trace, or begins a new one. */
  startRequest(traceparent: unknown): RequestTrace {
    const parent = readTraceparent(traceparent)
    const { followsParent, ratio } = this.#sampling
    const traceId = parent?.traceId ?? newId(16)
    const isSampled =
      parent !== undefined && followsParent ? parent.isSampled : hits(traceId, ratio)
    if (!isSampled) {
      // Without this header, an upstream engine would begin and record a trace of its own.
      const spanId = parent?.spanId ?? newId(8)
      return { traceparent: writeTraceparent({ traceId, spanId, isSampled }) }
    }
    const span = new Span({
      name: '',
      kind: spanKinds.server,
      traceId,
      parentSpanId: parent?.spanId,
      onEnd: this.#onEnd,
    })
    return { traceparent: span.traceparent, span }
  }
}

/** Returns the caller's trace unchanged, for a service that records no traces. */
export function passOnTrace(traceparent: unknown): RequestTrace | undefined {
  const parent = readTraceparent(traceparent)
  return parent && { traceparent: writeTraceparent(parent) }
}

/**
 * Decides by the lower half of the trace id, as OpenTelemetry's libraries do, so that services with the same ratio record
 * the same traces.
 */
function hits(traceId: string, ratio: number): boolean {
  // A double holds 13 hexadecimal digits.
  const place = Number.parseInt(traceId.slice(16, 29), 16) / 2 ** 52
  return place < ratio
}
