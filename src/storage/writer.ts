import { strict as assert } from 'node:assert'
import { Worker } from 'node:worker_threads'
import { ServiceError, StartError } from '../errors.ts'
import {
  databaseOpenTimeoutMs,
  databaseUpgradeTimeoutMs,
  storageTimeoutMs,
  writerBatchMax,
  writerQueueMax,
} from '../limits.ts'
import { entryFile } from '../paths.ts'
import type { Statement } from './statement.ts'
import { isOfUnit, type StorageFault } from './storage-fault.ts'
import type {
  FromThread,
  Row,
  ThreadSettings,
  ToThread,
  Unit,
  UnitResult,
} from './thread-messages.ts'

const sweepMs = 500

/**
 * The near side of the storage thread. While one batch is on its way to the disk the next one
 * gathers, so batches grow with the load and nobody waits for a timer.
 */
export class Writer {
  readonly #thread: Worker
  readonly #reads = new Map<number, Waiting<Row[]>>()
  readonly #listeners = new Set<() => void>()
  readonly #failure = new AbortController()
  readonly #sweep: NodeJS.Timeout
  #queue: Write[] = []
  #inFlight: Write[] = []
  #flushing = false
  #watching = false
  #nextReadId = 1
  #full = false
  #closing: Waiting<void> | undefined
  #closeSent = false
  #closed: Promise<void> | undefined

  private constructor(thread: Worker) {
    this.#thread = thread
    thread.on('message', (message: FromThread) => this.#receive(message))
    thread.on('error', (error) => this.#fail(error))
    thread.on('exit', (code) => this.#exited(code))
    this.#sweep = setInterval(() => this.#dropOverdue(), sweepMs)
    this.#sweep.unref()
  }

  /** @throws StartError the database cannot be opened */
  static async start(settings: ThreadSettings, onUpgrade?: () => void): Promise<Writer> {
    const thread = new Worker(entryFile('storage/storage-thread'), {
      workerData: settings,
      // Options of the main program, such as --input-type, need not suit a thread.
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
      name: 'storage',
    })
    await awaitReady(thread, onUpgrade)
    return new Writer(thread)
  }

  /** Aborted for good, with an Error as reason, once nothing can be written durably any more. */
  get failed(): AbortSignal {
    return this.#failure.signal
  }

  /** Whether a new entry would be written now, as far as can be told without trying. */
  get healthy(): boolean {
    const [oldest] = this.#inFlight
    const isStuck = oldest !== undefined && performance.now() - oldest.sinceMs > storageTimeoutMs
    return !this.failed.aborted && !this.#full && !isStuck && this.#closing === undefined
  }

  /**
   * Resolves once the unit is on disk, with the rows that its first step changed.
   * @throws ServiceError ledger_unavailable; the unit may have taken effect only if it was a timeout
   */
  write(unit: Unit): Promise<number> {
    return new Promise((resolve, reject) =>
      this.#enqueue(unit, {
        resolve: (result) => resolve(typeof result === 'number' ? result : result.length),
        reject,
      }),
    )
  }

  /**
   * Resolves once the statement is on disk, with the rows that it returns.
   * @throws ServiceError ledger_unavailable, as `write`
   */
  writeReturning(statement: Statement): Promise<Row[]> {
    return new Promise((resolve, reject) =>
      this.#enqueue(
        { steps: [statement], returning: true },
        { resolve: (result) => resolve(typeof result === 'number' ? [] : [...result]), reject },
      ),
    )
  }

  /** Joins the next batch; nobody waits, and a failure is nobody's. */
  writeSoon(unit: Unit): void {
    this.#enqueue(unit, nobody)
  }

  /** @throws ServiceError ledger_unavailable */
  read(statement: Statement): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      if (this.failed.aborted || this.#closing !== undefined)
        return reject(unavailable(this.failed.reason))
      if (this.#reads.size >= writerQueueMax) return reject(unavailable('too many reads wait'))
      const id = this.#nextReadId++
      this.#reads.set(id, { resolve, reject, sinceMs: performance.now() })
      this.#post({ type: 'read', id, statement })
    })
  }

  /** Calls back after commits of other processes; the result ends it. */
  onForeignCommit(listener: () => void): () => void {
    if (!this.#watching) this.#post({ type: 'watch' })
    this.#watching = true
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Writes what waits, closes the file and ends the thread; a second call waits for the first. */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        this.#closing = { resolve, reject, sinceMs: performance.now() }
        if (this.failed.aborted) resolve()
        else if (this.#inFlight.length === 0) this.#flush()
      })
    } finally {
      clearInterval(this.#sweep)
      await this.#thread.terminate()
    }
  }

  #enqueue(unit: Unit, settle: Settle<Written>): void {
    if (this.failed.aborted || this.#closing !== undefined)
      return settle.reject(unavailable(this.failed.reason))
    if (this.#queue.length >= writerQueueMax)
      return settle.reject(unavailable(`${writerQueueMax} units wait`))
    this.#queue.push({ unit, ...settle, sinceMs: performance.now() })
    if (this.#flushing || this.#inFlight.length > 0) return
    this.#flushing = true
    // Whatever else this turn of the event loop brings goes into the same batch.
    setImmediate(() => {
      this.#flushing = false
      if (this.#inFlight.length === 0) this.#flush()
    })
  }

  #flush(): void {
    if (this.#queue.length === 0) {
      if (this.#closing === undefined || this.#closeSent) return
      this.#closeSent = true
      return this.#post({ type: 'close' })
    }
    this.#inFlight = this.#queue.splice(0, writerBatchMax)
    this.#post({ type: 'write', units: this.#inFlight.map((write) => write.unit) })
  }

  #post(message: ToThread): void {
    this.#thread.postMessage(message)
  }

  #receive(message: FromThread): void {
    switch (message.type) {
      case 'written': {
        const written = this.#inFlight
        this.#inFlight = []
        this.#flush()
        for (const [index, result] of message.results.entries())
          if (typeof result === 'object' && 'code' in result)
            written[index]?.reject(toError(result))
          else written[index]?.resolve(result)
        return
      }
      case 'read':
        return this.#takeRead(message.id)?.resolve([...message.rows])
      case 'read-failed':
        return this.#takeRead(message.id)?.reject(toError(message.fault))
      case 'changed':
        for (const listener of this.#listeners) listener()
        return
      case 'full':
        this.#full = message.full
        return
      case 'failed':
        return this.#fail(new Error(`${message.fault.code}: ${message.fault.message}`))
      case 'closed':
        return this.#closing?.resolve()
      case 'ready':
      case 'upgrading':
      case 'refused':
        assert.fail('the storage thread starts once')
    }
  }

  #takeRead(id: number): Waiting<Row[]> | undefined {
    const read = this.#reads.get(id)
    this.#reads.delete(id)
    return read
  }

  #exited(code: number): void {
    if (this.#closing === undefined) this.#fail(new Error(`the storage thread ended (${code})`))
    this.#closing?.resolve()
  }

  /** Whoever waits is told; the batch on its way, if there is one, is never acknowledged. */
  #fail(cause: Error): void {
    if (this.failed.aborted) return
    this.#failure.abort(cause)
    const waiting = [...this.#inFlight, ...this.#queue, ...this.#reads.values()]
    this.#inFlight = []
    this.#queue = []
    this.#reads.clear()
    for (const { reject } of waiting) reject(unavailable(cause))
    this.#closing?.resolve()
  }

  #dropOverdue(): void {
    const overdueMs = performance.now() - storageTimeoutMs
    const isOverdue = (waiting: Waiting<never>) => waiting.sinceMs < overdueMs
    const cause = new Error(`no answer from the disk within ${storageTimeoutMs} ms`)
    for (const write of this.#inFlight) if (isOverdue(write)) write.reject(unavailable(cause))
    // In order of arrival, so the overdue ones come first; they are never sent.
    const fresh = this.#queue.findIndex((write) => !isOverdue(write))
    for (const write of this.#queue.splice(0, fresh === -1 ? this.#queue.length : fresh))
      write.reject(unavailable(cause))
    for (const [id, read] of this.#reads)
      if (isOverdue(read)) {
        this.#reads.delete(id)
        read.reject(unavailable(cause))
      }
    if (this.#closing !== undefined && isOverdue(this.#closing))
      this.#closing.reject(unavailable(cause))
  }
}

type Settle<Value> = { resolve: (value: Value) => void; reject: (error: Error) => void }
type Waiting<Value> = Settle<Value> & { sinceMs: number }
/** How many rows were changed, or those that were returned. */
type Written = Exclude<UnitResult, StorageFault>
type Write = Waiting<Written> & { unit: Unit }

const nobody: Settle<Written> = { resolve() {}, reject() {} }

function awaitReady(thread: Worker, onUpgrade?: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      clearTimeout(timer)
      thread.off('message', onMessage).off('error', onError)
      if (error === undefined) return resolve()
      void thread.terminate()
      reject(error)
    }
    const onMessage = (message: FromThread) => {
      if (message.type === 'ready') settle()
      else if (message.type === 'upgrading') {
        clearTimeout(timer)
        timer = setTimeout(onTimeout, databaseUpgradeTimeoutMs)
        onUpgrade?.()
      } else if (message.type === 'refused') settle(new StartError(message.message))
    }
    const onError = (cause: Error) =>
      settle(new StartError(`The storage thread did not start: ${cause.message}`, { cause }))
    const onTimeout = () =>
      settle(new StartError('The disk of the data directory does not answer: check it.'))
    let timer = setTimeout(onTimeout, databaseOpenTimeoutMs)
    thread.on('message', onMessage).on('error', onError)
  })
}

export function toError(fault: StorageFault): Error {
  const cause = new Error(`${fault.code}: ${fault.message}`)
  return isOfUnit(fault) ? cause : unavailable(cause)
}

export function unavailable(cause: unknown): ServiceError {
  return new ServiceError(
    'ledger_unavailable',
    'Usage cannot be recorded at the moment. Try again shortly.',
    { retryAfterMs: 2000, cause },
  )
}
