import pg from 'pg'
import { storageTimeoutMs } from '../../limits.ts'

const connectTimeoutMs = 5000
/** Between two statements of a batch, a service that is well needs far less. */
const abandonedTransactionMs = 2000
const bigintType = 20
const numericType = 1700

/** Counts and times are bigints, and sums of them numerics. All are far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === bigintType || oid === numericType ? Number : pg.types.getTypeParser(oid, format),
}

/** Options of every connection. No statement and no wait for a connection lasts longer than its timeout. */
export function connectionOptions(url: string, timeoutMs = storageTimeoutMs): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'pipit',
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: timeoutMs,
    query_timeout: timeoutMs,
    // A connection that was cut would hold its locks, for which the other replicas wait.
    idle_in_transaction_session_timeout:
      timeoutMs === storageTimeoutMs ? abandonedTransactionMs : timeoutMs,
    keepAlive: true,
    types,
  }
}

/** @throws the error of the driver */
export async function connect(url: string, timeoutMs?: number): Promise<pg.Client> {
  const client = new pg.Client(connectionOptions(url, timeoutMs))
  // Without a listener, the end of an idle connection would end the process. Its next use reports it.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}
