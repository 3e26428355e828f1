import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { GroupCommit } from '../../../src/storage/sqlite/group-commit.ts'
import { openSqliteFile } from '../../../src/storage/sqlite/sqlite-file.ts'
import { type StorageFault, toFault } from '../../../src/storage/storage-fault.ts'
import { textRestorer } from '../../../src/storage/threads/known-texts.ts'
import type {
  FromThread,
  StoragePort,
  ToThread,
} from '../../../src/storage/threads/thread-messages.ts'
import type { Unit, UnitResult } from '../../../src/storage/unit.ts'
import { inspectTables } from '../../../src/storage/inspection/inspect-ledger.ts'
import type { SimulatedClock } from './clock.ts'
import type { StoreMode } from '../schedule.ts'

type CommitKill = { batches: number; committed: boolean; kill: () => void }

const slowMs = 4000

/** Makes the bytes of an empty database with the service's tables. */
export async function newDatabaseImage(): Promise<Buffer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pipit-'))
  try {
    const db = await openSqliteFile(dataDir, false)
    db.pragma('wal_checkpoint(TRUNCATE)')
    const image = db.serialize()
    db.close()
    // Switches the file header from WAL to a rollback journal, because a database in memory has no write-ahead log.
    image.writeUInt16BE(0x0101, 18)
    return image
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

/**
 * A disk with the service's real tables and statements, in memory. It can be slow, stuck, full or failing, and the
 * service can be killed at each of its commits. Committed data stays; all other data is lost with the process.
 */
export class SimulatedStore {
  readonly #clock: SimulatedClock
  readonly #commitMs: number
  #db: Sqlite.Database
  #wasOpened = false
  #port: Port | undefined
  #mode: StoreMode | 'healthy' = 'healthy'
  /** Number of mode changes, so that the end of an older mode does not end a newer one. */
  #modes = 0
  #commitKill: CommitKill | undefined
  /** True once the disk has misbehaved. */
  hasMisbehaved = false

  constructor(clock: SimulatedClock, image: Buffer, commitMs: number) {
    this.#clock = clock
    this.#commitMs = commitMs
    this.#db = new Sqlite(image)
  }

  /** Opens the database for a new process of the service. */
  connect(): StoragePort {
    this.disconnect()
    if (this.#wasOpened) {
      const image = this.#db.serialize()
      this.#db.close()
      this.#db = new Sqlite(image)
    }
    this.#wasOpened = true
    this.#db.pragma('foreign_keys = ON')
    const port = new Port(this.#db, this)
    this.#port = port
    return port
  }

  /** Disconnects a process that has ended. Its uncommitted writes are lost. */
  disconnect(): void {
    this.#port?.die()
    this.#port = undefined
    this.#commitKill = undefined
  }

  behave(mode: StoreMode, forMs: number): void {
    const id = ++this.#modes
    this.#mode = mode
    this.hasMisbehaved = true
    if (mode === 'full') this.#port?.post({ type: 'full', full: true })
    this.#clock.after(forMs, () => {
      if (id === this.#modes) this.recover()
    })
  }

  recover(): void {
    this.#modes += 1
    const was = this.#mode
    this.#mode = 'healthy'
    if (was === 'full') this.#port?.post({ type: 'full', full: false })
    this.#port?.wake()
  }

  /** Reports a failed flush, after which no write can be trusted to be on disk. */
  fail(): void {
    this.#port?.post({ type: 'failed', fault: brokenFlush })
  }

  killAtCommit(commitKill: CommitKill | undefined): void {
    this.#commitKill = commitKill
  }

  /** Reads rows directly, without the service. */
  rows<Row>(sql: string): Row[] {
    return this.#db.prepare(sql).all() as Row[]
  }

  /** Checks the tables as `pipit doctor` does beside a running service. */
  inspect(nowMs: number): string[] {
    const options = { nowMs, isServed: true, budgetMs: Infinity }
    return inspectTables(this.#db, options).faults.map(({ text }) => `the ledger ${text}`)
  }

  close(): void {
    this.disconnect()
    this.#db.close()
  }

  /** Returns the ms until the next message is handled; undefined while the disk is stuck. */
  delayMs(): number | undefined {
    if (this.#mode === 'stuck') return undefined
    return this.#mode === 'slow' ? slowMs : this.#commitMs
  }

  after(ms: number, callback: () => void): void {
    this.#clock.after(ms, callback)
  }

  /** Returns undefined if the process was killed at this commit. */
  commit(store: GroupCommit, units: readonly Unit[]): UnitResult[] | undefined {
    const kill = this.#dueKill()
    if (kill !== undefined) {
      if (kill.committed) store.write(units)
      kill.kill()
      return undefined
    }
    switch (this.#mode) {
      case 'failing':
        return units.map(() => locked)
      case 'unconfirmed':
        store.write(units)
        return units.map(() => unconfirmed)
      case 'full':
        return writeEssential(store, units)
      case 'healthy':
      case 'slow':
      case 'stuck':
        return store.write(units)
    }
  }

  get mayRead(): boolean {
    return this.#mode !== 'failing'
  }

  #dueKill(): CommitKill | undefined {
    const kill = this.#commitKill
    if (kill === undefined) return undefined
    if (kill.batches > 0) {
      kill.batches -= 1
      return undefined
    }
    this.#commitKill = undefined
    return kill
  }
}

const locked: StorageFault = { code: 'SQLITE_BUSY', message: 'database is locked' }
const unconfirmed: StorageFault = {
  code: 'POSTGRES_CONNECTION_ECONNRESET',
  message: 'the connection was lost',
}
const full: StorageFault = { code: 'SQLITE_FULL', message: 'database or disk is full' }
const brokenFlush: StorageFault = { code: 'SQLITE_IOERR_FSYNC', message: 'disk I/O error' }

function writeEssential(store: GroupCommit, units: readonly Unit[]): UnitResult[] {
  const results = store.write(units.filter(({ urgency }) => urgency === 'essential'))
  return units.map(({ urgency }) => (urgency === 'essential' ? (results.shift() ?? full) : full))
}

/** The storage thread of one process. It handles one message after another. */
class Port implements StoragePort {
  readonly #db: Sqlite.Database
  readonly #store: GroupCommit
  readonly #disk: SimulatedStore
  readonly #waiting: ToThread[] = []
  readonly #restore = textRestorer()
  #listeners: ((message: FromThread) => void)[] = []
  #isBusy = false
  #isDead = false

  constructor(db: Sqlite.Database, disk: SimulatedStore) {
    this.#db = db
    this.#disk = disk
    this.#store = new GroupCommit(db)
  }

  on(event: string, listener: (value: never) => void): this {
    if (event === 'message') this.#listeners.push(listener as (message: FromThread) => void)
    return this
  }

  postMessage(message: ToThread): void {
    if (this.#isDead) return
    this.#waiting.push(message)
    this.wake()
  }

  async terminate(): Promise<void> {
    this.die()
  }

  die(): void {
    this.#isDead = true
    this.#listeners = []
  }

  post(message: FromThread): void {
    for (const listener of this.#listeners) listener(message)
  }

  /** Begins to handle the first waiting message, if the thread is idle and the disk is not stuck. */
  wake(): void {
    const delayMs = this.#disk.delayMs()
    if (this.#isDead || this.#isBusy || this.#waiting.length === 0 || delayMs === undefined) return
    this.#isBusy = true
    this.#disk.after(delayMs, () => {
      this.#isBusy = false
      if (this.#isDead || this.#disk.delayMs() === undefined) return
      const message = this.#waiting.shift()
      if (message !== undefined) this.#handle(message)
      this.wake()
    })
  }

  #handle(message: ToThread): void {
    switch (message.type) {
      case 'write': {
        const units = message.units.map(this.#restore)
        const results = this.#disk.commit(this.#store, units)
        if (results !== undefined) this.post({ type: 'written', results })
        return
      }
      case 'read':
        return this.#read(message)
      case 'watch':
        return
      case 'close':
        return this.post({ type: 'closed' })
    }
  }

  #read({ id, statement, aside = false }: Extract<ToThread, { type: 'read' }>): void {
    try {
      if (!this.#disk.mayRead || !this.#db.open)
        return this.post({ type: 'read-failed', id, aside, fault: locked })
      this.post({ type: 'read', id, aside, rows: this.#store.read(statement) })
    } catch (error) {
      this.post({ type: 'read-failed', id, aside, fault: toFault(error) })
    }
  }
}
