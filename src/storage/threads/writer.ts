import { storageTimeoutMs, writerBatchMax, writerQueueMax } from '../../limits.ts'
import { notWritten, type StorageFault, toError, unavailable } from '../storage-fault.ts'
import type { Unit, UnitResult } from '../unit.ts'

/** Result of a unit: the number of rows that it changed, or the rows that it returned. */
type Written = Exclude<UnitResult, StorageFault>
export type Settle = { resolve: (written: Written) => void; reject: (error: Error) => void }
type Write = Settle & { unit: Unit; sinceMs: number }

/**
 * Gathers units into batches. While one batch is on its way to the disk, the next one fills. So batches grow with the
 * load, and no write waits for a timer.
 */
export class Writer {
  readonly #send: (units: readonly Unit[]) => void
  #queue: Write[] = []
  #inFlight: Write[] = []
  #flushing = false
  #whenDrained: (() => void) | undefined

  constructor(send: (units: readonly Unit[]) => void) {
    this.#send = send
  }

  /** True when the disk has not responded for `storageTimeoutMs`. */
  get stuck(): boolean {
    const [oldest] = this.#inFlight
    return oldest !== undefined && performance.now() - oldest.sinceMs > storageTimeoutMs
  }

  write(unit: Unit, { resolve, reject }: Settle): void {
    if (this.#queue.length >= writerQueueMax)
      return reject(notWritten(`${writerQueueMax} units wait`))
    this.#queue.push({ unit, resolve, reject, sinceMs: performance.now() })
    if (this.#flushing || this.#inFlight.length > 0) return
    this.#flushing = true
    // Other writes of this turn of the event loop join the same batch.
    setImmediate(() => {
      this.#flushing = false
      if (this.#inFlight.length === 0) this.#flush()
    })
  }

  /** Sends the next batch, then settles the one that was in flight. */
  receive(results: readonly UnitResult[]): void {
    const written = this.#inFlight
    this.#inFlight = []
    this.#flush()
    for (const [index, result] of results.entries())
      if (typeof result === 'object' && 'code' in result) written[index]?.reject(toError(result))
      else written[index]?.resolve(result)
  }

  /** Calls `callback` once, when no write waits any more. */
  whenDrained(callback: () => void): void {
    this.#whenDrained = callback
    if (this.#inFlight.length === 0) this.#flush()
  }

  /** Rejects writes that wait too long. Those in flight may still take effect; the others are never sent. */
  rejectOverdue(): void {
    const overdueMs = performance.now() - storageTimeoutMs
    const isOverdue = ({ sinceMs }: Write) => sinceMs < overdueMs
    const cause = new Error(`no reply from the disk within ${storageTimeoutMs} ms`)
    for (const write of this.#inFlight) if (isOverdue(write)) write.reject(unavailable(cause))
    // The queue is in order of arrival, so overdue writes are at its front.
    const fresh = this.#queue.findIndex((write) => !isOverdue(write))
    for (const write of this.#queue.splice(0, fresh === -1 ? this.#queue.length : fresh))
      write.reject(notWritten(cause))
  }

  /** Rejects all writes, including the batch in flight, which may still take effect. */
  rejectAll(cause: unknown): void {
    const [sent, waiting] = [this.#inFlight, this.#queue]
    this.#inFlight = []
    this.#queue = []
    for (const { reject } of sent) reject(unavailable(cause))
    for (const { reject } of waiting) reject(notWritten(cause))
  }

  #flush(): void {
    if (this.#queue.length === 0) {
      const drained = this.#whenDrained
      this.#whenDrained = undefined
      return drained?.()
    }
    this.#inFlight = this.#queue.splice(0, writerBatchMax)
    this.#send(this.#inFlight.map((write) => write.unit))
  }
}
