import { Span, spanKinds, type EndedSpan } from './span.ts'
import { readTraceparent, writeTraceparent } from './trace-context.ts'
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

  /**
   * Continues the caller's trace, or begins a new one.
   * @returns undefined for a new trace that is not sampled
   */
  startRequest(traceparent: unknown): RequestTrace | undefined {
    const parent = readTraceparent(traceparent)
    const { followsParent, ratio } = this.#sampling
    const isSampled = parent !== undefined && followsParent ? parent.isSampled : hits(ratio)
    if (!isSampled) return parent && { traceparent: writeTraceparent(parent) }
    const span = new Span({ name: '', kind: spanKinds.server, parent, onEnd: this.#onEnd })
    return { traceparent: span.traceparent, span }
  }
}

/** Returns the caller's trace unchanged, for a service that records no traces. */
export function passOnTrace(traceparent: unknown): RequestTrace | undefined {
  const parent = readTraceparent(traceparent)
  return parent && { traceparent: writeTraceparent(parent) }
}

function hits(ratio: number): boolean {
  return ratio >= 1 || Math.random() < ratio
}
