import { write, writeSync } from 'node:fs'

/** Bytes of lines waiting to be written; further lines are dropped. */
const waitingBytesMax = 1_000_000
/** Delays before a write is retried: after a full pipe, and after any other failure. */
const fullPipeRetryMs = 100
const failureRetryMs = 1000
/**
 * Time for which lines are collected after a write, so that a busy service does not make a system call for each line.
 */
const gatherMs = 10
/** Time limit for writing the waiting lines when the process exits. */
const exitBudgetMs = 500

/**
 * Writes log lines to a file descriptor. Never delays the service, even if the reader is slow, stuck or gone or the
 * disk is full. Lines then wait in memory, up to `waitingBytesMax`; further ones are dropped and counted.
 */
export class LogWriter {
  readonly #fd: number
  readonly #onDropEnd: (lines: number) => void
  #waiting: string[] = []
  #waitingBytes = 0
  /** Bytes being written, or left over from the last attempt. */
  #current = Buffer.alloc(0)
  /** `writing` while the system writes `#current`; `pausing` until the next attempt. */
  #state: 'idle' | 'writing' | 'pausing' = 'idle'
  #dropped = 0
  #droppedReported = 0

  /** @param onDropEnd called with the number of dropped lines once lines can be written again */
  constructor(fd: number, onDropEnd: (lines: number) => void) {
    this.#fd = fd
    this.#onDropEnd = onDropEnd
    process.once('exit', () => this.#flushBeforeExit())
  }

  /** Lines dropped since the writer was created. */
  get dropped(): number {
    return this.#dropped
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line)
    if (this.#waitingBytes + this.#current.length + bytes > waitingBytesMax) {
      this.#dropped += 1
      return
    }
    this.#waiting.push(line)
    this.#waitingBytes += bytes
    if (this.#state === 'idle') this.#writeNext()
  }

  #writeNext(): void {
    if (this.#current.length === 0) this.#takeWaiting()
    this.#state = this.#current.length > 0 ? 'writing' : 'idle'
    if (this.#state === 'idle') return
    write(this.#fd, this.#current, (error, written) => {
      if (error === null) {
        this.#current = this.#current.subarray(written)
        if (this.#current.length > 0) return this.#writeNext()
        this.#reportDropped()
        this.#pause(gatherMs)
      } else this.#pause(error.code === 'EAGAIN' ? fullPipeRetryMs : failureRetryMs)
    })
  }

  #pause(ms: number): void {
    this.#state = 'pausing'
    setTimeout(() => this.#writeNext(), ms).unref()
  }

  #takeWaiting(): void {
    this.#current = Buffer.from(this.#waiting.join(''))
    this.#waiting = []
    this.#waitingBytes = 0
  }

  #reportDropped(): void {
    const lines = this.#dropped - this.#droppedReported
    this.#droppedReported = this.#dropped
    if (lines > 0) this.#onDropEnd(lines)
  }

  /** Writes the waiting lines. Leaves out a write that has begun: Node finishes it before the process exits. */
  #flushBeforeExit(): void {
    const endMs = performance.now() + exitBudgetMs
    const pause = new Int32Array(new SharedArrayBuffer(4))
    const begun = this.#state === 'writing' ? Buffer.alloc(0) : this.#current
    let rest = Buffer.concat([begun, Buffer.from(this.#waiting.join(''))])
    while (rest.length > 0 && performance.now() < endMs)
      try {
        rest = rest.subarray(writeSync(this.#fd, rest))
      } catch (error) {
        // Only a full pipe is worth a retry.
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
        Atomics.wait(pause, 0, 0, 10)
      }
  }
}
