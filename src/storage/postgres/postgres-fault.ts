import { StartError } from '../../errors.ts'
import { codeOf, type StorageFault } from '../storage-fault.ts'
import { withoutPassword } from './database-url.ts'

/** Converts an error of PostgreSQL or of the connection to a form that can cross threads. */
export function toPostgresFault(error: unknown): StorageFault {
  return {
    code: `POSTGRES_${codeOf(error) || 'UNKNOWN'}`,
    message: error instanceof Error ? error.message : String(error),
  }
}

/** Returns true for a deadlock or a serialization failure: the same statements may succeed if run again. */
export function isConflict({ code }: StorageFault): boolean {
  return code === 'POSTGRES_40P01' || code === 'POSTGRES_40001'
}

/**
 * Returns true if a prepared statement would return other columns than before, because the upgrade of another service
 * has changed a table. It works once it is prepared again.
 */
export function isStalePlan({ code }: StorageFault): boolean {
  return code === 'POSTGRES_0A000'
}

/** Returns true if the connection only reads: the server has become a standby, or a setting forbids writes. */
export function isReadOnly({ code }: StorageFault): boolean {
  return code === 'POSTGRES_25006'
}

/** Returns the error to report when the service cannot start with this database. */
export function startErrorOf(error: unknown, url: string): StartError {
  if (error instanceof StartError) return error
  const why = explainConnection(error) ?? toPostgresFault(error).message
  return new StartError(
    `${withoutPassword(url)} cannot be used: ${why}. Check PIPIT_DATABASE_URL.`,
    { cause: error },
  )
}

/** Returns what is wrong with the connection; undefined for an unknown fault. */
function explainConnection(error: unknown): string | undefined {
  const code = codeOf(error)
  if (code === 'ECONNREFUSED' || code === 'ENOENT') return 'no PostgreSQL answers there'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its host name is unknown'
  if (code === 'ETIMEDOUT' || code === 'EHOSTUNREACH') return 'its host does not answer'
  if (code === '28P01' || code === '28000') return 'PostgreSQL refuses the user or the password'
  if (code === '3D000') return 'this database does not exist; create it with `createdb`'
  if (code === '53300') return 'PostgreSQL has no free connection'
  if (code === '42501' && /\bschema\b/i.test(toPostgresFault(error).message))
    return 'the user may not create tables there'
  return undefined
}
