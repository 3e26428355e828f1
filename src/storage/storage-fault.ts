import { constants } from 'node:os'
import { ServiceError } from '../errors.ts'

/** An error of the database in a form that can cross threads. */
export type StorageFault = { code: string; message: string }

/** Error code for a replica that another replica has closed. It may not write until it has registered again. */
const closedReplica = 'POSTGRES_23F01'

export function toFault(error: unknown): StorageFault {
  return {
    code: codeOf(error) || 'UNKNOWN',
    message: error instanceof Error ? error.message : String(error),
  }
}

/** Returns the code of an error, such as `ENOSPC` or `SQLITE_FULL`; an empty text if it has none. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return ''
  // Node has no name for an exhausted quota: it says `Unknown system error -122`.
  const isQuota = 'errno' in error && error.errno === -constants.errno.EDQUOT
  return isQuota ? 'EDQUOT' : String(error.code)
}

/** True for a fault of one unit, such as a violated constraint: the other units of the batch still take effect. */
export function isUnitFault({ code }: StorageFault): boolean {
  return (
    /^SQLITE_(CONSTRAINT|ERROR|MISMATCH|RANGE|TOOBIG)/.test(code) ||
    // PostgreSQL's error classes for data (22), constraints (23) and syntax or access (42).
    /^POSTGRES_(22|23|42)/.test(code) ||
    !/^(SQLITE|POSTGRES)_/.test(code)
  )
}

export function isFull({ code }: StorageFault): boolean {
  return code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE'
}

/**
 * Returns true if later writes cannot be trusted: after a failed flush, a second flush may report success for pages
 * that the kernel has dropped.
 */
export function isFatal(fault: StorageFault): boolean {
  return !isFull(fault) && /^SQLITE_(IOERR|CORRUPT|NOTADB)/.test(fault.code)
}

/**
 * Returns true if the unit was rolled back or never sent. Codes of PostgreSQL itself have five characters; an error of
 * the connection leaves open whether the server has committed.
 */
function isWithoutEffect(fault: StorageFault): boolean {
  return /^(SQLITE_|POSTGRES_(UNSENT_|.{5}$))/.test(fault.code) && !isFatal(fault)
}

/** Returns the error for the caller of the database. */
export function toError(fault: StorageFault): Error {
  const text = `${fault.code}: ${fault.message}`
  if (isUnitFault(fault) && fault.code !== closedReplica) return new Error(text)
  return isWithoutEffect(fault) ? notWritten(text) : unavailable(new Error(text))
}

/** Cause of the error for a unit that certainly has no effect. */
class NotWritten extends Error {}

/** Returns the error for a unit that was rolled back or never sent. */
export function notWritten(cause: unknown): ServiceError {
  return unavailable(
    cause instanceof Error
      ? new NotWritten(cause.message, { cause })
      : new NotWritten(String(cause)),
  )
}

/** Returns true for the error of a unit that may still take effect, or has done so, as after a timeout. */
export function mayTakeEffect(error: unknown): boolean {
  return error instanceof ServiceError && !(error.cause instanceof NotWritten)
}

/** Returns the error for a unit or a query without a result. The unit may have taken effect. */
export function unavailable(cause: unknown): ServiceError {
  return new ServiceError(
    'ledger_unavailable',
    'Usage cannot be recorded at the moment. Try again shortly.',
    { retryAfterMs: 2000, cause },
  )
}
