import type { Addition } from './additions.ts'
import type { SqlValue, Statement } from './statement.ts'
import type { StorageFault } from './storage-fault.ts'

/** When the disk is full, essential units are still accepted: they use the space of the ballast file. */
export type Urgency = 'ordinary' | 'essential'

/** Statements that take effect together or not at all. */
export type Unit =
  | { type: 'all'; urgency: Urgency; steps: readonly Statement[] }
  | ({ type: 'guarded'; urgency: Urgency } & Guarded)
  /** The statement has a RETURNING clause, and its rows are the result. `steps` take effect only if there are rows. */
  | { type: 'returning'; urgency: Urgency; statement: Statement; steps: readonly Statement[] }

/** `steps` and `additions` take effect only if `guard` changes a row. */
export type Guarded = {
  guard: Statement
  steps: readonly Statement[]
  additions: readonly Addition[]
}

export type Row = Readonly<Record<string, SqlValue>>

/** Number of rows that the first statement changed, the rows that it returned, or the fault that stopped the unit. */
export type UnitResult = number | readonly Row[] | StorageFault

/** Returns the unit with other SQL texts and the same values. */
export function withTexts(unit: Unit, textFor: (sql: string) => string): Unit {
  const change = ({ sql, parameters }: Statement) => ({ sql: textFor(sql), parameters })
  switch (unit.type) {
    case 'all':
      return { ...unit, steps: unit.steps.map(change) }
    case 'returning':
      return { ...unit, statement: change(unit.statement), steps: unit.steps.map(change) }
    case 'guarded': {
      const additions = unit.additions.map((addition) => ({
        ...addition,
        sql: textFor(addition.sql),
      }))
      return { ...unit, guard: change(unit.guard), steps: unit.steps.map(change), additions }
    }
  }
}
