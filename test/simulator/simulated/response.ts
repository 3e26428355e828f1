import { EventEmitter } from 'node:events'
import type { SimulatedClock } from './clock.ts'
import type { RequestEvent } from '../schedule.ts'

/** Number of writes that a connection buffers. After that, the service must wait until the reader reads. */
const bufferedMax = 5
const slowReadMs = 400
/** Number of writes after which a stuck reader stops reading. */
const stuckAfter = 3

type Listener = { onText: (text: string) => void; onClose: () => void }

/** The server's side of a connection whose client reads fast, reads slowly or stops reading. */
export class SimulatedResponse extends EventEmitter {
  closed = false
  destroyed = false
  writableFinished = false
  readonly socket = null
  readonly #clock: SimulatedClock
  readonly #reader: RequestEvent['reader']
  readonly #listener: Listener
  readonly #unread: (string | Uint8Array)[] = []
  /** Parts of a long event that have been read. */
  readonly #parts: Uint8Array[] = []
  #unreadMs = 10_000
  #read = 0
  #isReading = false
  #isEnded = false

  constructor(clock: SimulatedClock, reader: RequestEvent['reader'], listener: Listener) {
    super()
    this.#clock = clock
    this.#reader = reader
    this.#listener = listener
  }

  get writableNeedDrain(): boolean {
    return this.#unread.length >= bufferedMax
  }

  writeHead(): this {
    return this
  }

  flushHeaders(): void {}

  setTimeout(ms: number): this {
    this.#unreadMs = ms
    return this
  }

  write(written: string | Uint8Array): boolean {
    if (this.destroyed) return false
    this.#unread.push(written)
    this.#readOn()
    return !this.writableNeedDrain
  }

  end(text: string): void {
    if (this.destroyed || this.#isEnded) return
    this.#isEnded = true
    this.write(text)
    this.#clock.after(this.#unreadMs, () => this.destroy())
  }

  /** Closes the connection, from either side. */
  destroy(): void {
    if (this.closed) return
    this.#close()
    this.emit('drain')
    this.emit('close')
    this.#listener.onClose()
  }

  /** Closes the connection without events for the service, whose process has ended. */
  abandon(): void {
    if (this.closed) return
    this.removeAllListeners()
    this.#close()
    this.#listener.onClose()
  }

  #close(): void {
    this.closed = true
    this.destroyed = true
    this.#unread.length = 0
  }

  #readOn(): void {
    if (this.#reader === 'fast') {
      while (this.#unread.length > 0) this.#readOne()
      return
    }
    if (this.#isReading || (this.#reader === 'stuck' && this.#read >= stuckAfter)) return
    this.#isReading = true
    this.#clock.after(slowReadMs, () => {
      this.#isReading = false
      if (this.closed) return
      const neededDrain = this.writableNeedDrain
      this.#readOne()
      if (this.#unread.length > 0) this.#readOn()
      if (neededDrain && !this.writableNeedDrain) this.emit('drain')
    })
  }

  #readOne(): void {
    const written = this.#unread.shift()
    if (written === undefined) return
    this.#read += 1
    const text = typeof written === 'string' ? written : this.#join(written)
    if (text !== undefined) this.#listener.onText(text)
    if (!this.#isEnded || this.#unread.length > 0 || this.closed) return
    this.writableFinished = true
    this.#close()
    this.emit('finish')
    this.emit('close')
    this.#listener.onClose()
  }

  /** Joins the parts in which the service sends a long event. Returns undefined while some are missing. */
  #join(part: Uint8Array): string | undefined {
    this.#parts.push(part)
    const text = Buffer.concat(this.#parts).toString()
    if (!text.endsWith('\n\n')) return undefined
    this.#parts.length = 0
    return text
  }
}
