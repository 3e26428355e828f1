import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { StartError } from '../../errors.ts'
import type { Statement } from '../statement.ts'
import { databaseUpgradeTimeoutMs, outageWaitMs, reconnectMs } from '../storage-limits.ts'
import type { StorageFault } from '../storage-fault.ts'
import type { Row, Unit, UnitResult } from '../unit.ts'
import { BatchWriter } from './batch-writer.ts'
import { connect, connectionOptions, connectPipelined } from './connection.ts'
import { checkDatabaseUrl, withoutPassword } from './database-url.ts'
import { startErrorOf, toPostgresFault } from './postgres-fault.ts'
import { readSchema, upgradeSchema } from './schema.ts'
import { toPostgresValues } from './to-postgres.ts'

/** Connections of each of the two pools. */
const readersMax = 4
/**
 * 'PIPT': the advisory lock of running services. Replicas share it. Versions of Pipit without support for replicas take
 * it exclusively, because they count limits on their own.
 */
const serveLock = 0x50495054

type StoreOptions = {
  url: string
  /** Takes the lock of running services; see `serveLock`. */
  serve: boolean
  /** Called before tables of an earlier version are upgraded, which may take minutes. */
  onUpgrade: () => void
  /** Called if the upgrade waits for a lock of another program. */
  onBlocked: () => void
  /** Called with true when PostgreSQL is away, and with false when it is back. */
  onAway: (away: boolean) => void
}

/**
 * One PostgreSQL database, with one connection for writes, a pool for short reads and one for long ones, so that
 * reports do not delay what the service needs. All reconnect after an outage.
 */
export class PostgresStore {
  readonly #options: StoreOptions
  readonly #readers: pg.Pool
  readonly #longReaders: pg.Pool
  #client: pg.Client | undefined
  #writer: BatchWriter | undefined
  #connecting: Promise<BatchWriter> | undefined
  #recovery: NodeJS.Timeout | undefined
  #serverPid = 0
  /** Time at which the connection for writes was lost, by the monotonic clock. Undefined while there is one. */
  #lostMs: number | undefined
  #closed = false

  private constructor(options: StoreOptions) {
    this.#options = options
    this.#readers = openPool(options.url)
    this.#longReaders = openPool(options.url)
  }

  /** @throws StartError with what is wrong with the database and what to do */
  static async open(options: StoreOptions): Promise<PostgresStore> {
    checkDatabaseUrl(options.url)
    const store = new PostgresStore(options)
    try {
      await upgrade(options)
      await store.#reconnect()
      return store
    } catch (error) {
      await store.close()
      throw startErrorOf(error, options.url)
    }
  }

  /** Returns one result per unit. Units wait for the end of a short outage, because they have not been sent yet. */
  async write(units: readonly Unit[]): Promise<UnitResult[]> {
    let wasSent = false
    try {
      const writer = await this.#awaitConnection()
      wasSent = true
      return await writer.write(units)
    } catch (error) {
      this.#drop()
      const fault = connectionFault(error, wasSent)
      return units.map(() => fault)
    }
  }

  /** Returns true if `serverPid` is the PostgreSQL process that serves the connection for writes. */
  isOwn(serverPid: number): boolean {
    return this.#serverPid === serverPid
  }

  /**
   * Reads on a connection of the pool, after the end of a short outage.
   * @throws the driver's error
   */
  async read({ sql, parameters }: Statement, isLong: boolean): Promise<Row[]> {
    await this.#awaitConnection()
    const pool = isLong ? this.#longReaders : this.#readers
    const { rows } = await pool.query<Row>(sql, toPostgresValues(parameters))
    return rows
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#recovery)
    await Promise.allSettled([this.#client?.end(), this.#readers.end(), this.#longReaders.end()])
  }

  /**
   * Returns the connection for writes. If it is lost, waits for a new one until `outageWaitMs` after the loss; later it
   * tries once.
   * @throws the error of the last attempt
   */
  async #awaitConnection(): Promise<BatchWriter> {
    for (;;) {
      if (this.#writer !== undefined) return this.#writer
      try {
        return await this.#reconnect()
      } catch (error) {
        const lostMs = this.#lostMs ?? -Infinity
        if (this.#closed || performance.now() - lostMs > outageWaitMs) throw error
        await delay(reconnectMs)
      }
    }
  }

  /** Connects again. If a write and the recovery call this at the same time, they share one connection. */
  #reconnect(): Promise<BatchWriter> {
    this.#connecting ??= this.#connect().finally(() => (this.#connecting = undefined))
    return this.#connecting
  }

  async #connect(): Promise<BatchWriter> {
    const client = await connectPipelined(this.#options.url)
    try {
      if (this.#options.serve) {
        await requireWritable(client, this.#options.url)
        await takeLock(client, this.#options.url)
      }
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    return await this.#use(client)
  }

  async #use(client: pg.Client): Promise<BatchWriter> {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    this.#serverPid = rows[0]?.pid ?? 0
    const writer = new BatchWriter(client)
    this.#client = client
    this.#writer = writer
    this.#lostMs = undefined
    client.once('end', () => {
      if (this.#client === client) this.#drop()
    })
    return writer
  }

  /** Drops the connection and retries until a new one works. */
  #drop(): void {
    const client = this.#client
    this.#client = undefined
    this.#writer = undefined
    this.#lostMs ??= performance.now()
    void client?.end().catch(() => {})
    if (this.#closed || this.#recovery !== undefined) return
    this.#options.onAway(true)
    this.#recovery = setTimeout(() => void this.#recover(), reconnectMs)
  }

  async #recover(): Promise<void> {
    this.#recovery = undefined
    try {
      if (this.#writer === undefined) await this.#reconnect()
      this.#options.onAway(false)
    } catch {
      this.#drop()
    }
  }
}

async function upgrade({ url, onUpgrade, onBlocked }: StoreOptions): Promise<void> {
  const client = await connect(url, databaseUpgradeTimeoutMs)
  try {
    // Called before `upgradeSchema`, which may wait for the upgrade of another service.
    if ((await readSchema(client)).state === 'older') onUpgrade()
    await upgradeSchema(client, Date.now(), { onBlocked })
  } finally {
    await client.end().catch(() => {})
  }
}

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({ ...connectionOptions(url), max: readersMax })
  pool.on('error', () => {})
  return pool
}

/** @throws StartError if the server is a standby, or if a setting of the database forbids writes */
async function requireWritable(client: pg.Client, url: string): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>(
    'show transaction_read_only',
  )
  if (rows[0]?.transaction_read_only === 'off') return
  throw new StartError(
    `${withoutPassword(url)} is read-only: it is a standby, or default_transaction_read_only is on. Name a database that accepts writes.`,
  )
}

/**
 * Takes the lock until the connection ends. Replicas share it; a version that counts limits on its own takes it
 * exclusively.
 * @throws StartError if a service of such a version holds the lock
 */
async function takeLock(client: pg.Client, url: string): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock_shared($1) as taken',
    [serveLock],
  )
  if (rows[0]?.taken === true) return
  throw new StartError(
    `A pipit service of an older version, which does not share limits, uses ${withoutPassword(url)}. Stop it first.`,
  )
}

/** Returns a fault of the connection, with a code that `isUnitFault` does not match. */
function connectionFault(error: unknown, wasSent: boolean): StorageFault {
  const { code, message } = toPostgresFault(error)
  const kind = wasSent ? 'POSTGRES_CONNECTION_' : 'POSTGRES_UNSENT_'
  return { code: code.replace('POSTGRES_', kind), message }
}
