import type { ServerResponse } from 'node:http'
import process from 'node:process'
import { pingIntervalMs, slowReaderTimeoutMs } from '../../limits.ts'

/** A reader that takes nothing for too long. */
export class SlowReaderError extends Error {
  override readonly name = 'SlowReaderError'
}

const lingerMs = 200

export type SseOptions = { pingMs?: number; slowReaderMs?: number }

/**
 * Server-Sent Events as interface §4.2 frames them: `data: ` lines, blank lines, `:` comments and
 * nothing else. One write per event. Exactly one of `done` and `fail` ends it.
 */
export class SseWriter {
  readonly #response: ServerResponse
  readonly #pingMs: number
  readonly #slowReaderMs: number
  readonly #pings: NodeJS.Timeout
  #lastWriteMs = Date.now()

  constructor(
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
    { pingMs = pingIntervalMs, slowReaderMs = slowReaderTimeoutMs }: SseOptions = {},
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
    // What is ready now leaves as one packet with the headers. (A corked response loses what it ends with.)
    const { socket } = response
    socket?.cork()
    process.nextTick(() => socket?.uncork())
    response.flushHeaders()
    this.#pings = setInterval(() => this.#ping(), pingMs)
  }

  /**
   * JSON has no raw line breaks, so one event is one line whatever the text holds.
   * @throws SlowReaderError; resolves at once when the connection is gone
   */
  async send(event: object): Promise<void> {
    this.#lastWriteMs = Date.now()
    if (!this.#response.write(`data: ${JSON.stringify(event)}\n\n`)) await this.#drained()
  }

  /** The reply is complete and its usage is on disk. */
  done(): void {
    clearInterval(this.#pings)
    this.#response.end('data: [DONE]\n\n')
  }

  /** No `[DONE]` and no clean end of the body: nobody may take this reply for a whole one. */
  fail(event: object): void {
    clearInterval(this.#pings)
    const response = this.#response
    if (response.destroyed) return
    response.write(`data: ${JSON.stringify(event)}\n\n`)
    // Some clients drop what they have not read yet when the connection is cut, so it lingers a
    // little. The cut does not wait for the write: a reader that takes nothing would never let it.
    setTimeout(() => response.destroy(), lingerMs)
  }

  #ping(): void {
    // Unread pings would pile up behind a reader that has stopped.
    if (this.#response.writableNeedDrain || Date.now() - this.#lastWriteMs < this.#pingMs) return
    this.#response.write(': ping\n\n')
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
        () => settle(() => reject(new SlowReaderError('the reader takes nothing'))),
        this.#slowReaderMs,
      )
      if (response.destroyed) return onEnd()
      response.once('drain', onEnd)
      response.once('close', onEnd)
    })
  }
}
