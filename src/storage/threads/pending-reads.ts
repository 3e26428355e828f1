import { storageTimeoutMs } from '../../limits.ts'
import type { Statement } from '../statement.ts'
import { toError, unavailable } from '../storage-fault.ts'
import type { Row } from '../unit.ts'
import type { ReadResult, ToReader } from './thread-messages.ts'

type Pending = {
  resolve: (rows: Row[]) => void
  reject: (error: Error) => void
  timer: NodeJS.Timeout
}

/** Reads that wait for a thread's result. Each is rejected after `storageTimeoutMs`. */
export class PendingReads {
  readonly #pendingMax: number
  readonly #pending = new Map<number, Pending>()
  #nextId = 1

  constructor(pendingMax: number) {
    this.#pendingMax = pendingMax
  }

  /** @throws ServiceError ledger_unavailable */
  send(statement: Statement, post: (message: ToReader) => void): Promise<Row[]> {
    if (this.#pending.size >= this.#pendingMax)
      return Promise.reject(unavailable('too many reads wait'))
    return new Promise((resolve, reject) => {
      const id = this.#nextId++
      const timer = setTimeout(
        () => this.#take(id)?.reject(unavailable(`no reply within ${storageTimeoutMs} ms`)),
        storageTimeoutMs,
      )
      this.#pending.set(id, { resolve, reject, timer })
      post({ id, statement })
    })
  }

  receive(result: ReadResult): void {
    const pending = this.#take(result.id)
    if (result.type === 'read') pending?.resolve([...result.rows])
    else pending?.reject(toError(result.fault))
  }

  rejectAll(cause: unknown): void {
    for (const id of this.#pending.keys()) this.#take(id)?.reject(unavailable(cause))
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    clearTimeout(pending?.timer)
    return pending
  }
}
