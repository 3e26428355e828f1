import type { Logger } from '../logger.ts'
import { toOtlpJson } from './otlp-json.ts'
import type { EndedSpan } from './span.ts'
import type { TracingSettings } from './tracing-settings.ts'

/** Longest backoff after failed exports. The first backoff is twice `delayMs`. */
const pauseMaxMs = 60_000
/** Time limit for exporting the last spans when the service stops. */
const closeMs = 3000
/** HTTP statuses after which the collector may accept the same spans later. */
const retryable = [429, 502, 503, 504]

type ExporterOptions = TracingSettings & { readonly version: string; readonly logger: Logger }

/**
 * Sends spans to an OpenTelemetry collector, in batches and one export at a time. No request waits for an export. While
 * the collector is away, spans wait in a bounded queue; if the queue is full, further spans are dropped and counted.
 */
export class SpanExporter {
  readonly #options: ExporterOptions
  readonly #closing = new AbortController()
  #queue: EndedSpan[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  #failures = 0
  #dropped = 0
  #isClosed = false

  constructor(options: ExporterOptions) {
    this.#options = options
  }

  /** Number of spans since the service started that were not exported. */
  get dropped(): number {
    return this.#dropped
  }

  add(span: EndedSpan): void {
    const { queueMax, batchMax } = this.#options
    if (this.#isClosed || this.#queue.length >= queueMax) {
      this.#dropped += 1
      return
    }
    this.#queue.push(span)
    if (this.#sending !== undefined) return
    if (this.#queue.length >= batchMax && this.#failures === 0) this.#schedule(0)
    else if (this.#timer === undefined) this.#schedule(this.#options.delayMs)
  }

  /** Exports the waiting spans within `closeMs`. The rest is dropped. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    const timer = setTimeout(() => this.#closing.abort(), closeMs)
    try {
      await this.#sending
      this.#failures = 0
      while (this.#queue.length > 0 && this.#failures === 0 && !this.#closing.signal.aborted)
        await this.#send()
    } finally {
      clearTimeout(timer)
      this.#dropped += this.#queue.length
      this.#queue = []
    }
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#sending = this.#send().finally(() => {
        this.#sending = undefined
        if (this.#isClosed || this.#queue.length === 0) return
        const isFull = this.#queue.length >= this.#options.batchMax
        this.#schedule(this.#failures === 0 && isFull ? 0 : this.#pauseMs())
      })
    }, ms).unref()
  }

  #pauseMs(): number {
    return Math.min(pauseMaxMs, this.#options.delayMs * 2 ** Math.min(this.#failures, 10))
  }

  /** Exports one batch. Keeps it in the queue if the collector may accept it later. Never throws. */
  async #send(): Promise<void> {
    const { url, headers, timeoutMs, resource, version, batchMax } = this.#options
    const batch = this.#queue.slice(0, batchMax)
    let reason: string
    let isLost = false
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: toOtlpJson(batch, resource, version),
        // A redirect would send the headers, which may hold credentials, to another address.
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#closing.signal]),
      })
      await response.body?.cancel()
      if (response.ok) {
        this.#queue.splice(0, batch.length)
        this.#failures = 0
        return
      }
      reason = `status ${response.status}`
      isLost = !retryable.includes(response.status)
    } catch {
      reason = 'no reply'
    }
    if (isLost) this.#dropped += this.#queue.splice(0, batch.length).length
    this.#failures += 1
    if (this.#failures === 1)
      this.#options.logger.warn('the collector of traces does not accept spans', { reason })
  }
}
