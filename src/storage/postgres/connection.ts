import pg from 'pg'
import { storageTimeoutMs } from '../../limits.ts'
import { connectTimeoutMs } from '../storage-limits.ts'

/** Time that a transaction may be idle. A healthy service needs far less between two statements of a batch. */
const abandonedTransactionMs = 2000
const bigintType = 20
const numericType = 1700

/** Reads bigints (counts and times) and numerics (their sums) as numbers. All are far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === bigintType || oid === numericType ? Number : pg.types.getTypeParser(oid, format),
}

/** Returns the options of every connection. Connecting has a timeout, and so has each statement. */
export function connectionOptions(url: string, timeoutMs = storageTimeoutMs): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'pipit',
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: timeoutMs,
    query_timeout: timeoutMs,
    // A transaction whose client is gone would keep its locks, and other replicas would wait for them.
    idle_in_transaction_session_timeout:
      timeoutMs === storageTimeoutMs ? abandonedTransactionMs : timeoutMs,
    keepAlive: true,
    types,
  }
}

/** @throws the error of the driver */
export async function connect(url: string, timeoutMs?: number): Promise<pg.Client> {
  return await connectWith(connectionOptions(url, timeoutMs))
}

/**
 * Returns a connection that sends each statement at once, without waiting for the result of the one before.
 * @throws the error of the driver
 */
export async function connectPipelined(url: string): Promise<pg.Client> {
  return await connectWith({ ...connectionOptions(url), pipeline: true })
}

async function connectWith(options: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(options)
  // Without a listener, losing an idle connection would end the process. The next query reports the loss.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}
