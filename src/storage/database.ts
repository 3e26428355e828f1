import type { Compilable } from 'kysely'

import { type Statement, toStatement } from './statement.ts'
import type { Row, Unit } from './thread-messages.ts'
import { Reader } from './reader.ts'
import { Writer } from './writer.ts'

export type DatabaseOptions = {
  /** Be the one process that serves from this directory: takes its lock. Commands leave it out. */
  serve?: boolean
  /** The tables are of an earlier version; it may take minutes until they are of this one. */
  onUpgrade?: () => void
}

/**
 * Opens the database in `dataDir` and brings its tables up to date; creates both where they are missing.
 * @throws StartError with one sentence for the operator
 */
export async function openDatabase(
  dataDir: string,
  options: DatabaseOptions = {},
): Promise<Database> {
  const writer = await Writer.start({ dataDir, serve: options.serve ?? false }, options.onUpgrade)
  return new Database(dataDir, writer)
}

/** All access goes through one thread of its own, so the caller's event loop never waits for the disk. */
export class Database {
  readonly dataDir: string
  readonly #writer: Writer
  readonly #reader: Reader

  constructor(dataDir: string, writer: Writer) {
    this.dataDir = dataDir
    this.#writer = writer
    this.#reader = new Reader(dataDir)
  }

  /** Whether the next entry would be written, as far as can be told without trying. */
  get healthy(): boolean {
    return this.#writer.healthy
  }

  /** Aborted, with the Error as reason, once nothing can be written durably until a restart. */
  get failed(): AbortSignal {
    return this.#writer.failed
  }

  /**
   * Resolves once the unit is durable, with the number of rows that its first step changed.
   * @throws ServiceError ledger_unavailable
   */
  write(unit: Unit): Promise<number> {
    return this.#writer.write(unit)
  }

  /**
   * As `write`, of one statement with a RETURNING clause, whose rows are the result.
   * @throws ServiceError ledger_unavailable
   */
  writeReturning(statement: Statement): Promise<Row[]> {
    return this.#writer.writeReturning(statement)
  }

  /** Joins the next batch without anybody waiting for it; lost without a word if that fails. */
  writeSoon(unit: Unit): void {
    this.#writer.writeSoon(unit)
  }

  /** @throws ServiceError ledger_unavailable */
  async read<Result>(query: Compilable<Result>): Promise<Result[]> {
    // The columns are those that the query names, so the rows have its type.
    return (await this.readRows(toStatement(query))) as Result[]
  }

  /**
   * For what may take long: on a thread and a connection of its own, so that nobody who writes waits.
   * @throws ServiceError ledger_unavailable
   */
  async readAside<Result>(query: Compilable<Result>): Promise<Result[]> {
    // The columns are those that the query names, so the rows have its type.
    return (await this.#reader.read(toStatement(query))) as Result[]
  }

  /** @throws ServiceError ledger_unavailable */
  readRows(statement: Statement): Promise<Row[]> {
    return this.#writer.read(statement)
  }

  /** Calls back within a second of another process's commit; the result ends it. */
  onForeignCommit(listener: () => void): () => void {
    return this.#writer.onForeignCommit(listener)
  }

  /** What was handed over before is written first. */
  async close(): Promise<void> {
    await this.#reader.close()
    await this.#writer.close()
  }
}
