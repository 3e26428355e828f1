import { ServiceError } from '../errors.ts'

/** An error of the database in a form that can cross threads. */
export type StorageFault = { code: string; message: string }

/** The fault of a replica that others have closed: it may not write until it is registered anew. */
const closedReplica = 'POSTGRES_23F01'

export function toFault(error: unknown): StorageFault {
  return {
    code: codeOf(error) || 'UNKNOWN',
    message: error instanceof Error ? error.message : String(error),
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** True for a fault of one unit, such as a violated constraint: the other units of the batch still take effect. */
export function isUnitFault({ code }: StorageFault): boolean {
  return (
    /^SQLITE_(CONSTRAINT|ERROR|MISMATCH|RANGE|TOOBIG)/.test(code) ||
    // Classes of PostgreSQL: values, constraints, syntax.
    /^POSTGRES_(22|23|42)/.test(code) ||
    !/^(SQLITE|POSTGRES)_/.test(code)
  )
}

export function isFull({ code }: StorageFault): boolean {
  return code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE'
}

/** After a failed flush, a second flush may report success for pages that the kernel has dropped. */
export function isFatal(fault: StorageFault): boolean {
  return !isFull(fault) && /^SQLITE_(IOERR|CORRUPT|NOTADB)/.test(fault.code)
}

/** The error that the caller of the database receives. */
export function toError(fault: StorageFault): Error {
  const cause = new Error(`${fault.code}: ${fault.message}`)
  return isUnitFault(fault) && fault.code !== closedReplica ? cause : unavailable(cause)
}

export function unavailable(cause: unknown): ServiceError {
  return new ServiceError(
    'ledger_unavailable',
    'Usage cannot be recorded at the moment. Try again shortly.',
    { retryAfterMs: 2000, cause },
  )
}
