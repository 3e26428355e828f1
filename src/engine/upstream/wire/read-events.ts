import type { IncomingMessage } from 'node:http'
import { UpstreamFault } from '../upstream-fault.ts'
import { lineBytesMax } from '../upstream-limits.ts'

const newline = 0x0a
const decoder = new TextDecoder('utf-8', { fatal: true })
/** Time allowed for the upstream to end its response after the last event. */
const closeMs = 1000

export type Pause = {
  /** Longest pause between two parts. */
  readonly idleMs: number
  /** Longest pause while `mayLast` returns true, which is asked each `idleMs`. */
  readonly longestMs: number
  mayLast(): boolean
}

/**
 * Yields the data of the response's Server-Sent Events, in one batch for each read. Ends when the response ends or the
 * caller stops reading. The connection is kept for reuse if the response then ends within `closeMs`.
 * @param firstByteByMs latest time of the first byte, by the monotonic clock
 * @throws UpstreamFault failed, if the response is cut off, stalls, has a line over `lineBytesMax` or invalid UTF-8
 */
export async function* readEvents(
  response: IncomingMessage,
  firstByteByMs: number,
  pause: Pause,
): AsyncGenerator<readonly string[], void, void> {
  const lines = new EventLines()
  let ending: NodeJS.Immediate | undefined
  let partMs: number | undefined
  const silent = (): void => {
    const quietMs = performance.now() - (partMs ?? Number.NEGATIVE_INFINITY)
    if (quietMs < pause.longestMs && pause.mayLast()) {
      timer = setTimeout(silent, Math.min(pause.idleMs, pause.longestMs - quietMs))
      return
    }
    // After a stall of this process, timers come before the parts that have arrived meanwhile, and immediates after them.
    ending = setImmediate(() =>
      response.destroy(new UpstreamFault('failed', 'the stream fell silent')),
    )
  }
  let timer = setTimeout(silent, Math.max(0, firstByteByMs - performance.now()))
  try {
    for await (const part of response.iterator({ destroyOnReturn: false })) {
      clearTimeout(timer)
      clearImmediate(ending)
      const events = lines.push(part as Buffer)
      if (events.length > 0) yield events
      if (lines.fault !== undefined) throw lines.fault
      partMs = performance.now()
      timer = setTimeout(silent, pause.idleMs)
    }
    // An event without its final blank line is incomplete and dropped, as the standard requires.
  } catch (error) {
    response.destroy()
    if (error instanceof UpstreamFault) throw error
    throw new UpstreamFault('failed', 'the stream was cut off')
  } finally {
    clearTimeout(timer)
    clearImmediate(ending)
    drain(response)
  }
}

/** Discards the rest of a response, so that its connection can be reused. */
function drain(response: IncomingMessage): void {
  if (response.destroyed || response.readableEnded) return
  const timer = setTimeout(() => response.destroy(), closeMs)
  response.once('close', () => clearTimeout(timer))
  response.on('error', () => {})
  response.resume()
}

/** Splits bytes into events. Keeps at most one incomplete line and the data of one event. */
class EventLines {
  #rest: Buffer[] = []
  #restBytes = 0
  #data: string | undefined
  /** Set once a line cannot be read. Earlier events stay valid. */
  fault: UpstreamFault | undefined

  push(part: Buffer): string[] {
    const events: string[] = []
    try {
      this.#split(part, events)
    } catch (error) {
      if (!(error instanceof UpstreamFault)) throw error
      this.fault = error
    }
    return events
  }

  #split(part: Buffer, events: string[]): void {
    let begin = 0
    for (let end = part.indexOf(newline); end !== -1; end = part.indexOf(newline, begin)) {
      this.#keep(part.subarray(begin, end))
      begin = end + 1
      this.#readLine(this.#take(), events)
    }
    if (begin < part.length) this.#keep(part.subarray(begin))
  }

  #keep(bytes: Buffer): void {
    this.#restBytes += bytes.length
    if (this.#restBytes > lineBytesMax)
      throw new UpstreamFault('failed', 'a line of the stream is too long')
    this.#rest.push(bytes)
  }

  /** Decodes and clears the buffered line. Drops a trailing carriage return. */
  #take(): string {
    const [only] = this.#rest
    const bytes = this.#rest.length === 1 && only ? only : Buffer.concat(this.#rest)
    this.#rest = []
    this.#restBytes = 0
    let line: string
    try {
      line = decoder.decode(bytes)
    } catch {
      throw new UpstreamFault('failed', 'the stream is not UTF-8')
    }
    return line.endsWith('\r') ? line.slice(0, -1) : line
  }

  #readLine(line: string, events: string[]): void {
    if (line === '') {
      if (this.#data !== undefined) events.push(this.#data)
      this.#data = undefined
    } else if (line.startsWith('data:')) {
      const data = line.slice(line.startsWith('data: ') ? 6 : 5)
      this.#data = this.#data === undefined ? data : `${this.#data}\n${data}`
      if (this.#data.length > lineBytesMax)
        throw new UpstreamFault('failed', 'an event of the stream is too long')
    }
    // SSE comments and other fields are ignored.
  }
}
