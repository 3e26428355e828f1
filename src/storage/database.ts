import type { Compilable } from 'kysely'
import { type Statement, toStatement } from './statement.ts'
import { Reader } from './threads/reader.ts'
import type { OnUpgrade } from './threads/start-storage-thread.ts'
import { StorageLink } from './threads/storage-link.ts'
import type { Guarded, Row, Unit, Urgency } from './unit.ts'

export type DatabaseOptions = {
  /**
   * Takes the lock of a serving process. A data directory has one lock for one process; on PostgreSQL, replicas share a
   * lock. Commands do not set this option.
   */
  serve?: boolean
  /** URL of a PostgreSQL database to use instead of the file in the directory. */
  url?: string | undefined
  /** Time that a write waits for another process's lock on the file. Default: `busyTimeoutMs`. */
  lockWaitMs?: number | undefined
  /** Called when the tables are of an earlier version; their upgrade may take minutes. */
  onUpgrade?: OnUpgrade
}

/**
 * Opens the database in `dataDir`, or at `url`, and upgrades its tables; creates both if they are missing.
 * @throws StartError with one sentence for the operator
 */
export async function openDatabase(
  dataDir: string,
  options: DatabaseOptions = {},
): Promise<Database> {
  const { serve = false, url, lockWaitMs, onUpgrade } = options
  const settings = { dataDir, serve, databaseUrl: url, lockWaitMs }
  const link = await StorageLink.start(settings, onUpgrade)
  return new Database(dataDir, link, url === undefined ? new Reader(dataDir) : undefined)
}

/** The database. Statements run on separate threads, so the caller's event loop never waits for the disk. */
export class Database {
  readonly dataDir: string
  readonly #link: StorageLink
  /** Absent for PostgreSQL: there, the link itself has separate connections for long queries. */
  readonly #reader: Reader | undefined

  constructor(dataDir: string, link: StorageLink, reader?: Reader) {
    this.dataDir = dataDir
    this.#link = link
    this.#reader = reader
  }

  /** False when a write is expected to fail. Reading this property tries no write. */
  get healthy(): boolean {
    return this.#link.healthy
  }

  /** Aborts with an Error as its reason once durable writes are impossible until a restart. */
  get failed(): AbortSignal {
    return this.#link.failed
  }

  /**
   * Writes all statements or none. Resolves once they are durable, with the number of rows that the first changed.
   * @throws ServiceError ledger_unavailable
   */
  write(steps: readonly Statement[], urgency: Urgency = 'ordinary'): Promise<number> {
    return this.#write({ type: 'all', urgency, steps })
  }

  /**
   * Writes the guard and, if it changes a row, the rest. Resolves with the number of rows that the guard changed.
   * @throws ServiceError ledger_unavailable
   */
  writeGuarded(guarded: Guarded, urgency: Urgency = 'ordinary'): Promise<number> {
    return this.#write({ type: 'guarded', urgency, ...guarded })
  }

  /**
   * Writes a statement with a RETURNING clause and, if it returns a row, the steps. Resolves with the rows once all is
   * durable.
   * @throws ServiceError ledger_unavailable
   */
  writeReturning(
    statement: Statement,
    steps: readonly Statement[] = [],
    urgency: Urgency = 'ordinary',
  ): Promise<Row[]> {
    return new Promise((resolve, reject) =>
      this.#link.write(
        { type: 'returning', urgency, statement, steps },
        { resolve: (rows) => resolve(typeof rows === 'number' ? [] : [...rows]), reject },
      ),
    )
  }

  /** Writes like `write` but returns nothing: failures are ignored. */
  writeSoon(steps: readonly Statement[], urgency: Urgency = 'ordinary'): void {
    this.#link.write({ type: 'all', urgency, steps }, ignored)
  }

  /**
   * Reads on the storage thread; for short queries.
   * @throws ServiceError ledger_unavailable
   */
  async read<Result>(query: Compilable<Result>): Promise<Result[]> {
    // The query determines the columns, so the rows have its result type.
    return (await this.readRows(toStatement(query))) as Result[]
  }

  /**
   * Reads on another connection than the writes. For long queries, which would delay writes.
   * @throws ServiceError ledger_unavailable
   */
  async readAside<Result>(query: Compilable<Result>): Promise<Result[]> {
    // The query determines the columns, so the rows have its result type.
    const statement = toStatement(query)
    const rows = this.#reader?.read(statement) ?? this.#link.readAside(statement)
    return (await rows) as Result[]
  }

  /** @throws ServiceError ledger_unavailable */
  readRows(statement: Statement): Promise<Row[]> {
    return this.#link.read(statement)
  }

  /** Calls back within a second of another process's commit, until the returned function is called. */
  onForeignCommit(listener: () => void): () => void {
    return this.#link.onForeignCommit(listener)
  }

  /** Writes all queued units, then closes the database. */
  async close(): Promise<void> {
    await this.#reader?.close()
    await this.#link.close()
  }

  #write(unit: Unit): Promise<number> {
    return new Promise((resolve, reject) =>
      this.#link.write(unit, {
        resolve: (written) => resolve(typeof written === 'number' ? written : written.length),
        reject,
      }),
    )
  }
}

const ignored = { resolve() {}, reject() {} }
