import type Sqlite from 'better-sqlite3'
import { addUp } from './additions.ts'
import type { Ballast } from './ballast.ts'
import type { SqlValue, Statement } from './statement.ts'
import { isFatal, isFull, isOfUnit, type StorageFault, toFault } from './storage-fault.ts'
import type { Row, Unit, UnitResult } from './thread-messages.ts'

const preparedMax = 500

/** Many units, one commit, one flush to the disk; each unit by itself takes effect whole or not at all. */
export class GroupCommit {
  readonly #db: Sqlite.Database
  readonly #ballast: Ballast | undefined
  readonly #prepared = new Map<string, Sqlite.Statement<SqlValue[], Row>>()
  #failed: StorageFault | undefined
  #fullSince: StorageFault | undefined

  constructor(db: Sqlite.Database, ballast?: Ballast) {
    this.#db = db
    this.#ballast = ballast
  }

  /** Set for good once a write may have been lost that SQLite had taken for done. */
  get failed(): StorageFault | undefined {
    return this.#failed
  }

  /** While this holds only essential units are taken. */
  get full(): boolean {
    return this.#fullSince !== undefined
  }

  /** What it returns for a unit is true of the disk, not only of memory. */
  write(units: readonly Unit[]): UnitResult[] {
    const refused = this.#failed
    if (refused !== undefined) return units.map(() => refused)
    if (this.#fullSince !== undefined) return this.#writeEssential(units, this.#fullSince)
    try {
      return this.#commit(units)
    } catch (error) {
      const fault = this.#rollBack(error)
      if (!isFull(fault) || this.#ballast === undefined) return units.map(() => fault)
      this.#ballast.giveUp()
      this.#fullSince = fault
      return this.#writeEssential(units, fault)
    }
  }

  read({ sql, parameters }: Statement): Row[] {
    return this.#prepare(sql).all(...parameters)
  }

  /** Ends the shortage once there is room for the ballast again. */
  tryToRecover(): void {
    if (this.#ballast?.take() === true) this.#fullSince = undefined
  }

  #writeEssential(units: readonly Unit[], shortage: StorageFault): UnitResult[] {
    const essential = units.filter((unit) => unit.essential === true)
    let written: UnitResult[] = []
    if (essential.length > 0)
      try {
        written = this.#commit(essential)
      } catch (error) {
        const fault = this.#rollBack(error)
        written = essential.map(() => fault)
      }
    let next = 0
    return units.map((unit) => (unit.essential === true ? (written[next++] ?? shortage) : shortage))
  }

  #commit(units: readonly Unit[]): UnitResult[] {
    this.#run('BEGIN IMMEDIATE')
    const results = units.map((unit) => this.#apply(unit))
    const counted = units.filter((_, index) => Number(results[index]) > 0)
    for (const sum of addUp(counted.flatMap(({ addition = [] }) => addition))) this.#step(sum)
    this.#run('COMMIT')
    return results
  }

  #apply(unit: Unit): UnitResult {
    // One statement is atomic by itself.
    const [only, ...others] = unit.steps
    if (others.length === 0) {
      try {
        if (only === undefined) return 0
        return unit.returning === true ? this.read(only) : this.#step(only)
      } catch (error) {
        return this.#faultOfUnit(error)
      }
    }
    this.#run('SAVEPOINT unit')
    try {
      const changed = this.#steps(unit)
      this.#run('RELEASE unit')
      return changed
    } catch (error) {
      const fault = this.#faultOfUnit(error)
      this.#run('ROLLBACK TO unit')
      this.#run('RELEASE unit')
      return fault
    }
  }

  #steps(unit: Unit): number {
    let first = 0
    for (const [index, step] of unit.steps.entries()) {
      const changed = this.#step(step)
      if (index > 0) continue
      first = changed
      if (unit.guarded === true && changed === 0) break
    }
    return first
  }

  #step({ sql, parameters }: Statement): number {
    return this.#prepare(sql).run(...parameters).changes
  }

  /** @throws the error itself when it is not of the unit's own making and the others suffer too */
  #faultOfUnit(error: unknown): StorageFault {
    const fault = toFault(error)
    if (!this.#db.inTransaction || !isOfUnit(fault)) throw error
    return fault
  }

  #rollBack(error: unknown): StorageFault {
    const fault = toFault(error)
    if (isFatal(fault)) this.#failed = fault
    try {
      if (this.#db.inTransaction) this.#run('ROLLBACK')
    } catch (cause) {
      this.#failed ??= toFault(cause)
    }
    return fault
  }

  #run(sql: string): void {
    this.#prepare(sql).run()
  }

  #prepare(sql: string): Sqlite.Statement<SqlValue[], Row> {
    const known = this.#prepared.get(sql)
    if (known !== undefined) return known
    if (this.#prepared.size >= preparedMax) this.#prepared.clear()
    const statement = this.#db.prepare<SqlValue[], Row>(sql)
    this.#prepared.set(sql, statement)
    return statement
  }
}
