import type { Statement } from '../statement.ts'
import type { StorageFault } from '../storage-fault.ts'
import type { Row, Unit, UnitResult } from '../unit.ts'

export type ThreadSettings = {
  dataDir: string
  /** True for a process that serves requests, which takes a lock; see `DatabaseOptions`. */
  serve: boolean
  /** URL of a PostgreSQL database to use instead of a file. */
  databaseUrl?: string | undefined
  /** Time that a write waits for another process's lock on the file. Default: `busyTimeoutMs`. */
  lockWaitMs?: number | undefined
}

export type ToThread =
  /** The texts of the statements are shortened by `textShortener`. */
  | { type: 'write'; units: readonly Unit[] }
  /** `aside`: on a connection for long queries. */
  | { type: 'read'; id: number; statement: Statement; aside?: boolean }
  | { type: 'watch' }
  | { type: 'close' }

export type FromThread =
  | { type: 'ready' }
  /** The tables are of an earlier version. Their upgrade may take minutes. */
  | { type: 'upgrading' }
  /** The upgrade waits until another program has released its lock on a table. */
  | { type: 'upgrade-blocked' }
  /** The start failed. `message` tells the operator why. */
  | { type: 'refused'; message: string }
  | { type: 'written'; results: readonly UnitResult[] }
  | ReadResult
  /** Another process has committed a change. */
  | { type: 'changed' }
  /** Ordinary writes are refused: the disk is full, or PostgreSQL is away. */
  | { type: 'full'; full: boolean }
  /** Writes of this thread may be lost from now on. */
  | { type: 'failed'; fault: StorageFault }
  | { type: 'closed' }

/** The storage thread as the main thread sees it: a worker thread, or in tests a simulated disk. */
export type StoragePort = {
  on(event: 'message', listener: (message: FromThread) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'exit', listener: (code: number) => void): unknown
  postMessage(message: ToThread): void
  terminate(): Promise<unknown>
}

export type ReadResult =
  | { type: 'read'; id: number; rows: readonly Row[]; aside?: boolean }
  | { type: 'read-failed'; id: number; fault: StorageFault; aside?: boolean }

export type ToReader = { id: number; statement: Statement }
