import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { StartError } from '../../errors.ts'
import { connect } from '../postgres/connection.ts'
import { checkDatabaseUrl, withoutPassword } from '../postgres/database-url.ts'
import { upgradeSchema } from '../postgres/schema.ts'
import { transferTable } from '../postgres/unfinished-transfer.ts'
import type { SqlValue } from '../statement.ts'
import { type TableTally, Tally } from './tally.ts'
import { quoted, transferredTables } from './transferred-tables.ts'

/** Timeout of one statement. The longest one is `analyze` on a large table. */
const statementTimeoutMs = 600_000
/** 'PIPM': the advisory lock that allows one transfer at a time. */
const lockKey = 0x5049504d
/** Time to wait for the lock: PostgreSQL needs a while to notice that a killed transfer is gone. */
const lockWaitMs = 10_000
const lockPollMs = 250
const cursorRows = 2000

/** Position at which a transfer continues: in `table`, after the row with the key `after`. */
export type Position = { table: string; after: readonly SqlValue[] | undefined }

/** State of a transfer, stored in the target. `source` is JSON text: the counts and sums of the source's tables. */
type TransferState = {
  source: string
  position: Position | undefined
  finishedMs: number | undefined
}

/** The PostgreSQL database that a transfer fills. */
export class PostgresTarget {
  readonly name: string
  readonly #client: pg.Client

  private constructor(name: string, client: pg.Client) {
    this.name = name
    this.#client = client
  }

  /**
   * Connects and changes nothing.
   * @throws StartError or the driver's error
   */
  static async open(url: string): Promise<PostgresTarget> {
    checkDatabaseUrl(url)
    const name = withoutPassword(url)
    const client = await connect(url, statementTimeoutMs)
    try {
      await takeLock(client, name)
      return new PostgresTarget(name, client)
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
  }

  /**
   * Returns the state of the transfer into this database, finished or not; undefined for an empty database.
   * @throws StartError the database has other content
   */
  async state(): Promise<TransferState | undefined> {
    const tables = await this.#tables()
    if (tables.includes(transferTable)) return await this.#readState()
    const isOurs = tables.includes('schema_migrations') && tables.includes('accounts')
    if (tables.length > 0 && !isOurs)
      throw new StartError(
        `${this.name} has tables of another program (${tables.slice(0, 3).join(', ')}). Create an empty database with \`createdb\`.`,
      )
    await this.#refuseRows(tables)
    return undefined
  }

  /** Creates the tables, and records this transfer in the same database. */
  async begin(source: string, nowMs: number): Promise<void> {
    await upgradeSchema(this.#client, nowMs)
    await this.#transaction(async () => {
      // A service that started in the meantime would have created an account.
      await this.#refuseRows(await this.#tables())
      await this.#client.query(
        `create table ${transferTable} (one integer primary key default 1 check (one = 1), source text not null,
          started_ms bigint not null, table_name text, after_key text, finished_ms bigint)`,
      )
      await this.#client.query(
        `insert into ${transferTable} (source, started_ms) values ($1, $2)`,
        [source, nowMs],
      )
    })
  }

  /** Returns the names of the columns of each table. */
  async columns(): Promise<Map<string, string[]>> {
    const { rows } = await this.#client.query<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns
       where table_schema = current_schema() order by table_name, ordinal_position`,
    )
    const columns = new Map<string, string[]>()
    for (const { table, column } of rows)
      columns.set(table, [...(columns.get(table) ?? []), column])
    return columns
  }

  /** Writes rows and the position after them in one transaction. A crash loses both or neither. */
  async write(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly SqlValue[])[],
    position: Position,
  ): Promise<void> {
    const names = columns.map(quoted).join(', ')
    const values = rows.map((row) =>
      Object.fromEntries(columns.map((column, index) => [column, row[index]])),
    )
    await this.#transaction(async () => {
      // The last transaction of the transfer flushes all earlier ones to the disk.
      await this.#client.query('set local synchronous_commit = off')
      if (rows.length > 0)
        await this.#client.query(
          `insert into ${quoted(table)} (${names})
           select ${names} from json_populate_recordset(null::${quoted(table)}, $1::json)`,
          [JSON.stringify(values)],
        )
      await this.#client.query(`update ${transferTable} set table_name = $1, after_key = $2`, [
        position.table,
        position.after === undefined ? null : JSON.stringify(position.after),
      ])
    })
  }

  async tally(table: string, columns: readonly string[]): Promise<TableTally> {
    const tally = new Tally(columns)
    await this.#transaction(async () => {
      await this.#client.query(
        `declare rows_of_table no scroll cursor for select ${columns.map(quoted).join(', ')} from ${quoted(table)}`,
      )
      for (;;) {
        const { rows } = await this.#client.query<SqlValue[]>({
          text: `fetch ${cursorRows} from rows_of_table`,
          rowMode: 'array',
        })
        for (const row of rows) tally.add(row)
        if (rows.length < cursorRows) break
      }
    })
    return tally.result
  }

  /** Records durably that all rows are copied. Services may use the database from then on. */
  async finish(nowMs: number): Promise<void> {
    await this.#client.query('set synchronous_commit = on')
    await this.#client.query(`update ${transferTable} set finished_ms = $1`, [nowMs])
    await this.#client.query('analyze')
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => {})
  }

  async #tables(): Promise<string[]> {
    const { rows } = await this.#client.query<{ name: string }>(
      'select tablename as name from pg_tables where schemaname = current_schema() order by 1',
    )
    return rows.map(({ name }) => name)
  }

  async #refuseRows(tables: readonly string[]): Promise<void> {
    for (const { name } of transferredTables) {
      if (!tables.includes(name)) continue
      const { rows } = await this.#client.query(`select 1 from ${quoted(name)} limit 1`)
      if (rows.length > 0)
        throw new StartError(
          `${this.name} is not empty: its table ${name} has rows. Create an empty database with \`createdb\`.`,
        )
    }
  }

  async #readState(): Promise<TransferState | undefined> {
    const { rows } = await this.#client.query<{
      source: string
      table_name: string | null
      after_key: string | null
      finished_ms: number | null
    }>(`select source, table_name, after_key, finished_ms from ${transferTable}`)
    const [row] = rows
    if (row === undefined) return undefined
    const after = row.after_key === null ? undefined : (JSON.parse(row.after_key) as SqlValue[])
    return {
      source: row.source,
      position: row.table_name === null ? undefined : { table: row.table_name, after },
      finishedMs: row.finished_ms ?? undefined,
    }
  }

  async #transaction(work: () => Promise<void>): Promise<void> {
    await this.#client.query('begin')
    try {
      await work()
      await this.#client.query('commit')
    } catch (error) {
      await this.#client.query('rollback').catch(() => {})
      throw error
    }
  }
}

/** @throws StartError another transfer has the lock */
async function takeLock(client: pg.Client, name: string): Promise<void> {
  const endMs = performance.now() + lockWaitMs
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock($1) as taken',
      [lockKey],
    )
    if (rows[0]?.taken === true) return
    if (performance.now() > endMs)
      throw new StartError(
        `Another \`pipit migrate\` writes to ${name}. Wait until it has finished.`,
      )
    await delay(lockPollMs)
  }
}
