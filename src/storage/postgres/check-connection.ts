import { connect } from './connection.ts'
import { checkDatabaseUrl, withoutPassword } from './database-url.ts'
import { startErrorOf } from './postgres-fault.ts'

/**
 * Connects, changes nothing, and returns a description of the database without its password.
 * @throws StartError with what is wrong with the database and what to do
 */
export async function checkConnection(url: string): Promise<string> {
  checkDatabaseUrl(url)
  try {
    const client = await connect(url)
    try {
      const { rows } = await client.query<{ server_version: string }>('show server_version')
      return `PostgreSQL ${rows[0]?.server_version ?? ''} at ${withoutPassword(url)}`
    } finally {
      await client.end().catch(() => {})
    }
  } catch (error) {
    throw startErrorOf(error, url)
  }
}
