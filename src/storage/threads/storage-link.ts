import { strict as assert } from 'node:assert'
import { readerQueueMax, storageTimeoutMs, writerQueueMax } from '../../limits.ts'
import { toPostgres, unitToPostgres } from '../postgres/to-postgres.ts'
import type { Statement } from '../statement.ts'
import { notWritten, unavailable } from '../storage-fault.ts'
import type { Row, Unit } from '../unit.ts'
import { textShortener } from './known-texts.ts'
import { PendingReads } from './pending-reads.ts'
import { type OnUpgrade, startStorageThread } from './start-storage-thread.ts'
import type { FromThread, StoragePort, ThreadSettings, ToThread } from './thread-messages.ts'
import { type Settle, Writer } from './writer.ts'

const sweepMs = 500

/** Main-thread side of the storage thread: routes its messages, watches its health and ends it. */
export class StorageLink {
  readonly #thread: StoragePort
  readonly #isPostgres: boolean
  readonly #shorten = textShortener()
  readonly #writer = new Writer((units) => {
    this.#post({ type: 'write', units: units.map(this.#shorten) })
  })
  readonly #reads = new PendingReads(writerQueueMax)
  readonly #readsAside = new PendingReads(readerQueueMax)
  readonly #foreignCommitListeners = new Set<() => void>()
  readonly #failure = new AbortController()
  readonly #ended = Promise.withResolvers<void>()
  readonly #sweep: NodeJS.Timeout
  #watching = false
  #full = false
  #closed: Promise<void> | undefined

  /**
   * @param thread the storage thread, which has opened the database
   * @param isPostgres true if statements must be rewritten for PostgreSQL
   */
  constructor(thread: StoragePort, isPostgres = false) {
    this.#thread = thread
    this.#isPostgres = isPostgres
    thread.on('message', (message: FromThread) => this.#receive(message))
    thread.on('error', (error) => this.#fail(error))
    thread.on('exit', (code) => this.#handleExit(code))
    this.#sweep = setInterval(() => this.#writer.rejectOverdue(), sweepMs)
    this.#sweep.unref()
  }

  /** @throws StartError the database cannot be opened */
  static async start(settings: ThreadSettings, onUpgrade?: OnUpgrade): Promise<StorageLink> {
    const thread = await startStorageThread(settings, onUpgrade)
    return new StorageLink(thread, settings.databaseUrl !== undefined)
  }

  /** Aborts, with an Error as its reason, once writes can no longer be durable. */
  get failed(): AbortSignal {
    return this.#failure.signal
  }

  /** False when a write is expected to fail. Reading this property tries no write. */
  get healthy(): boolean {
    return this.#isOpen() && !this.#full && !this.#writer.stuck
  }

  /** Settles once the unit is on disk. After a timeout, the unit may still take effect. */
  write(unit: Unit, settle: Settle): void {
    if (this.#isOpen()) this.#writer.write(this.#isPostgres ? unitToPostgres(unit) : unit, settle)
    else settle.reject(notWritten(this.failed.reason))
  }

  /** @throws ServiceError ledger_unavailable */
  async read(statement: Statement): Promise<Row[]> {
    return await this.#read(this.#reads, statement, false)
  }

  /**
   * Reads on the connections for long queries; only for PostgreSQL.
   * @throws ServiceError ledger_unavailable
   */
  async readAside(statement: Statement): Promise<Row[]> {
    return await this.#read(this.#readsAside, statement, true)
  }

  /** Calls `listener` after other processes have committed, until the returned function is called. */
  onForeignCommit(listener: () => void): () => void {
    if (!this.#watching) this.#post({ type: 'watch' })
    this.#watching = true
    this.#foreignCommitListeners.add(listener)
    return () => this.#foreignCommitListeners.delete(listener)
  }

  /** Writes all queued units, closes the database and ends the thread. A second call waits for the first. */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    const timeout = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => timeout.reject(unavailable(`the database did not close within ${storageTimeoutMs} ms`)),
      storageTimeoutMs,
    )
    try {
      if (!this.failed.aborted) this.#writer.whenDrained(() => this.#post({ type: 'close' }))
      await Promise.race([this.#ended.promise, timeout.promise])
    } finally {
      clearTimeout(timer)
      clearInterval(this.#sweep)
      await this.#thread.terminate()
      this.#reads.rejectAll('the database is closed')
      this.#readsAside.rejectAll('the database is closed')
    }
  }

  async #read(reads: PendingReads, statement: Statement, aside: boolean): Promise<Row[]> {
    if (!this.#isOpen()) throw unavailable(this.failed.reason)
    const query = this.#isPostgres ? toPostgres(statement) : statement
    return await reads.send(query, (read) => this.#post({ type: 'read', aside, ...read }))
  }

  #isOpen(): boolean {
    return !this.failed.aborted && this.#closed === undefined
  }

  #post(message: ToThread): void {
    this.#thread.postMessage(message)
  }

  #receive(message: FromThread): void {
    switch (message.type) {
      case 'written':
        return this.#writer.receive(message.results)
      case 'read':
      case 'read-failed':
        return (message.aside === true ? this.#readsAside : this.#reads).receive(message)
      case 'changed':
        for (const listener of this.#foreignCommitListeners) listener()
        return
      case 'full':
        this.#full = message.full
        return
      case 'failed':
        return this.#fail(new Error(`${message.fault.code}: ${message.fault.message}`))
      case 'closed':
        return this.#ended.resolve()
      case 'ready':
      case 'upgrading':
      case 'upgrade-blocked':
      case 'refused':
        assert.fail('the storage thread starts once')
    }
  }

  #handleExit(code: number): void {
    if (this.#closed === undefined) this.#fail(new Error(`the storage thread ended (${code})`))
    this.#ended.resolve()
  }

  #fail(cause: Error): void {
    if (this.failed.aborted) return
    this.#failure.abort(cause)
    this.#writer.rejectAll(cause)
    this.#reads.rejectAll(cause)
    this.#readsAside.rejectAll(cause)
    this.#ended.resolve()
  }
}
