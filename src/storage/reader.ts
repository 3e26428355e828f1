import { Worker } from 'node:worker_threads'
import { readerQueueMax, storageTimeoutMs } from '../limits.ts'
import { entryFile } from '../paths.ts'
import type { Statement } from './statement.ts'
import type { FromReader, Row, ToReader } from './thread-messages.ts'
import { toError, unavailable } from './writer.ts'

type Waiting = {
  resolve: (rows: Row[]) => void
  reject: (error: Error) => void
  timer: NodeJS.Timeout
}

/** The near side of a thread that only reads; it starts with the first question. */
export class Reader {
  readonly #dataDir: string
  readonly #waiting = new Map<number, Waiting>()
  #thread: Worker | undefined
  #nextId = 1
  #closed = false

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  /** @throws ServiceError ledger_unavailable */
  read(statement: Statement): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(unavailable('the database is closed'))
      if (this.#waiting.size >= readerQueueMax) return reject(unavailable('too many reads wait'))
      this.#thread ??= this.#start()
      const id = this.#nextId++
      const timer = setTimeout(
        () => this.#take(id)?.reject(unavailable(`no answer within ${storageTimeoutMs} ms`)),
        storageTimeoutMs,
      )
      this.#waiting.set(id, { resolve, reject, timer })
      const message: ToReader = { id, statement }
      this.#thread.postMessage(message)
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#rejectAll(new Error('the database is closed'))
    await this.#thread?.terminate()
  }

  #start(): Worker {
    const thread = new Worker(entryFile('storage/reader-thread'), {
      workerData: this.#dataDir,
      // Options of the main program, such as --input-type, need not suit a thread.
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
      name: 'reader',
    })
    thread.unref()
    thread.on('message', (message: FromReader) => {
      const waiting = this.#take(message.id)
      if (message.type === 'read') waiting?.resolve([...message.rows])
      else waiting?.reject(toError(message.fault))
    })
    // The next question starts another one.
    const onEnd = (cause: Error) => {
      if (this.#thread === thread) this.#thread = undefined
      this.#rejectAll(cause)
    }
    thread.on('error', onEnd)
    thread.on('exit', (code) => onEnd(new Error(`the reader thread ended (${code})`)))
    return thread
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    clearTimeout(waiting?.timer)
    return waiting
  }

  #rejectAll(cause: Error): void {
    for (const id of this.#waiting.keys()) this.#take(id)?.reject(unavailable(cause))
  }
}
