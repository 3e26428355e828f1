import { Worker } from 'node:worker_threads'
import { readerQueueMax } from '../../limits.ts'
import { entryFile } from '../../paths.ts'
import type { Statement } from '../statement.ts'
import { unavailable } from '../storage-fault.ts'
import type { Row } from '../unit.ts'
import { PendingReads } from './pending-reads.ts'
import type { ReadResult, ToReader } from './thread-messages.ts'

/** Main-thread side of a thread that only reads. The thread starts with the first read. */
export class Reader {
  readonly #dataDir: string
  readonly #reads = new PendingReads(readerQueueMax)
  #thread: Worker | undefined
  #closed = false

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  /** @throws ServiceError ledger_unavailable */
  async read(statement: Statement): Promise<Row[]> {
    if (this.#closed) throw unavailable('the database is closed')
    this.#thread ??= this.#start()
    const thread = this.#thread
    return await this.#reads.send(statement, (message: ToReader) => thread.postMessage(message))
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#reads.rejectAll(new Error('the database is closed'))
    await this.#thread?.terminate()
  }

  #start(): Worker {
    const thread = new Worker(entryFile('storage/threads/reader-thread'), {
      workerData: this.#dataDir,
      // Options of the main program, such as --input-type, may not suit a thread.
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
      name: 'reader',
    })
    thread.unref()
    thread.on('message', (result: ReadResult) => this.#reads.receive(result))
    // The next read starts another thread.
    const onEnd = (cause: Error) => {
      if (this.#thread === thread) this.#thread = undefined
      this.#reads.rejectAll(cause)
    }
    thread.on('error', onEnd)
    thread.on('exit', (code) => onEnd(new Error(`the reader thread ended (${code})`)))
    return thread
  }
}
