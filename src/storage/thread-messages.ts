import type { Addition } from './additions.ts'
import type { SqlValue, Statement } from './statement.ts'
import type { StorageFault } from './storage-fault.ts'

/** Statements that take effect together or not at all. */
export type Unit = {
  steps: readonly Statement[]
  /** Takes effect with the steps if the first of them changed a row. */
  addition?: Addition
  /** The later steps are left out when the first one changes no row. */
  guarded?: boolean
  /** Still accepted when the disk is full, at the expense of the ballast file. */
  essential?: boolean
  /** The only step has a RETURNING clause, and its rows are the result. */
  returning?: boolean
}

export type ThreadSettings = {
  dataDir: string
  /** Takes the lock of the one process that serves from the directory. */
  serve: boolean
}

export type ToThread =
  | { type: 'write'; units: readonly Unit[] }
  | { type: 'read'; id: number; statement: Statement }
  | { type: 'watch' }
  | { type: 'close' }

/** How many rows the unit's first step changed, or those that it returned, or why the unit had no effect. */
export type UnitResult = number | readonly Row[] | StorageFault
export type Row = Readonly<Record<string, SqlValue>>

export type FromThread =
  | { type: 'ready' }
  /** The tables are of an earlier version; it may take minutes until they are of this one. */
  | { type: 'upgrading' }
  /** The start cannot go on; the text is for the operator. */
  | { type: 'refused'; message: string }
  | { type: 'written'; results: readonly UnitResult[] }
  | { type: 'read'; id: number; rows: readonly Row[] }
  | { type: 'read-failed'; id: number; fault: StorageFault }
  /** Another process has committed something. */
  | { type: 'changed' }
  | { type: 'full'; full: boolean }
  /** Nothing that this thread writes can be trusted to last any more. */
  | { type: 'failed'; fault: StorageFault }
  | { type: 'closed' }

export type ToReader = { id: number; statement: Statement }
export type FromReader = Extract<FromThread, { type: 'read' | 'read-failed' }>
