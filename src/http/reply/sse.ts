import type { ServerResponse } from 'node:http'
import process from 'node:process'
import { Interruption } from '../../completions/interruption.ts'
import { pingIntervalMs, slowReaderTimeoutMs, unreadStreamTimeoutMs } from '../../limits.ts'

/** The client has read nothing for too long. */
export class SlowReaderError extends Interruption {
  constructor() {
    super('slow_reader')
  }
}

const lingerMs = 200
/** Bytes of one write, and so of what a client must read within `slowReaderMs`. */
const writeBytesMax = 64 * 1024

export type SseOptions = { pingMs?: number; slowReaderMs?: number; unreadMs?: number }

/**
 * Writes Server-Sent Events in the framing of docs/interface.md §4.2: `data: ` lines, blank lines and `:`
 * comments. An event is one write, or several if it is long. Exactly one of `done` and `fail` ends the stream.
 */
export class SseWriter {
  readonly #response: ServerResponse
  readonly #pingMs: number
  readonly #slowReaderMs: number
  #pings: NodeJS.Timeout
  #lastWriteMs = performance.now()
  /** True while only a part of an event has been written. */
  #isWithinEvent = false

  constructor(
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
    {
      pingMs = pingIntervalMs,
      slowReaderMs = slowReaderTimeoutMs,
      unreadMs = unreadStreamTimeoutMs,
    }: SseOptions = {},
  ) {
    this.#response = response
    this.#pingMs = pingMs
    this.#slowReaderMs = slowReaderMs
    response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    // Longer than slowReaderMs, so that this writer notices a slow reader before the server does.
    response.setTimeout(unreadMs)
    // Sends the first events in one packet with the headers. Corking the response instead of the socket loses its last
    // bytes.
    const { socket } = response
    socket?.cork()
    process.nextTick(() => socket?.uncork())
    response.flushHeaders()
    this.#pings = setTimeout(() => this.#ping(), pingMs)
  }

  /**
   * Sends one event, always as one line. Returns undefined if the next event can be sent
   * at once. Otherwise returns a promise that resolves when the client has read enough or the connection is closed. It
   * rejects with SlowReaderError if the client takes longer than `slowReaderMs` to read `writeBytesMax`.
   */
  send(event: object): Promise<void> | undefined {
    this.#lastWriteMs = performance.now()
    const text = toLine(event)
    // A character has at most three bytes.
    if (3 * text.length > writeBytesMax) return this.#sendInParts(Buffer.from(text))
    return this.#response.write(text) ? undefined : this.#drained()
  }

  /** Sends a long event in parts, so that a client has time for each of them. */
  async #sendInParts(bytes: Buffer): Promise<void> {
    this.#isWithinEvent = true
    for (let begin = 0; begin < bytes.length && !this.#response.destroyed; begin += writeBytesMax)
      if (!this.#response.write(bytes.subarray(begin, begin + writeBytesMax))) await this.#drained()
    this.#isWithinEvent = false
  }

  /**
   * Sends a comment, which clients ignore. Sends nothing if the client has stopped reading. `text` must have no line
   * breaks.
   */
  comment(text: string): void {
    if (this.#response.writableNeedDrain || this.#isWithinEvent) return
    this.#lastWriteMs = performance.now()
    this.#response.write(`: ${text}\n\n`)
  }

  /** Ends a complete reply. Its usage must already be on disk. */
  done(): void {
    clearTimeout(this.#pings)
    this.#response.end('data: [DONE]\n\n')
  }

  /** Sends an error event without `[DONE]` and cuts the connection, so that no client takes the reply for complete. */
  fail(event: object): void {
    clearTimeout(this.#pings)
    const response = this.#response
    if (response.destroyed) return
    // A client would read the two events as one line.
    if (!this.#isWithinEvent) response.write(toLine(event))
    // Cutting at once would make some clients drop unread bytes, so the cut comes a little later. It does not wait for
    // the write to finish: a client that reads nothing would block that forever.
    setTimeout(() => response.destroy(), lingerMs)
  }

  /** Sends a ping when nothing was written for `#pingMs`, and sets the time of the next one. */
  #ping(): void {
    const dueMs = this.#lastWriteMs + this.#pingMs - performance.now()
    // Pings must not pile up for a client that has stopped reading.
    if (dueMs <= 0) this.comment('ping')
    this.#pings = setTimeout(() => this.#ping(), dueMs > 0 ? dueMs : this.#pingMs)
  }

  #drained(): Promise<void> {
    const response = this.#response
    return new Promise((resolve, reject) => {
      const settle = (then: () => void) => {
        clearTimeout(timer)
        response.off('drain', onEnd)
        response.off('close', onEnd)
        then()
      }
      const onEnd = () => settle(resolve)
      const timer = setTimeout(
        () => settle(() => reject(new SlowReaderError())),
        this.#slowReaderMs,
      )
      if (response.destroyed) return onEnd()
      response.once('drain', onEnd)
      response.once('close', onEnd)
    })
  }
}

/**
 * Writes an event as one line also for Python clients, whose `str.splitlines` ends lines at three characters that JSON
 * may have raw.
 */
function toLine(event: object): string {
  const json = JSON.stringify(event).replaceAll(
    /[\u0085\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `data: ${json}\n\n`
}
