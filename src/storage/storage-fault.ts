/** An error of the database as it crosses threads. */
export type StorageFault = { code: string; message: string }

export function toFault(error: unknown): StorageFault {
  return {
    code: codeOf(error) || 'UNKNOWN',
    message: error instanceof Error ? error.message : String(error),
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** A mistake in the statement or a row that is there already: a bug of the one who wrote the unit. */
export function isOfUnit({ code }: StorageFault): boolean {
  return (
    /^SQLITE_(CONSTRAINT|ERROR|MISMATCH|RANGE|TOOBIG)/.test(code) || !code.startsWith('SQLITE_')
  )
}

export function isFull({ code }: StorageFault): boolean {
  return code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE'
}

/** After a failed flush a second one may claim success for pages that the kernel has dropped. */
export function isFatal(fault: StorageFault): boolean {
  return !isFull(fault) && /^SQLITE_(IOERR|CORRUPT|NOTADB)/.test(fault.code)
}
