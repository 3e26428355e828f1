import type Sqlite from 'better-sqlite3'
import { addUp } from '../additions.ts'
import type { SqlValue, Statement } from '../statement.ts'
import { isFatal, isFull, isUnitFault, type StorageFault, toFault } from '../storage-fault.ts'
import type { Row, Unit, UnitResult } from '../unit.ts'
import type { Ballast } from './ballast.ts'

const preparedMax = 500

/** Writes many units with one commit and one flush to the disk. Each unit takes effect whole or not at all. */
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

  /** Set permanently once the disk may have lost a write that SQLite considers committed. */
  get failed(): StorageFault | undefined {
    return this.#failed
  }

  /** While true, only essential units are accepted. */
  get full(): boolean {
    return this.#fullSince !== undefined
  }

  /** Returns one result per unit. Successful units are on the disk, not only in memory. */
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

  /** Accepts all units again if the disk has room for the ballast file. */
  tryToRecover(): void {
    if (this.#ballast?.take() === true) this.#fullSince = undefined
  }

  #writeEssential(units: readonly Unit[], shortage: StorageFault): UnitResult[] {
    const essential = units.filter(({ urgency }) => urgency === 'essential')
    let written: UnitResult[] = []
    if (essential.length > 0)
      try {
        written = this.#commit(essential)
      } catch (error) {
        const fault = this.#rollBack(error)
        written = essential.map(() => fault)
      }
    let next = 0
    return units.map(({ urgency }) =>
      urgency === 'essential' ? (written[next++] ?? shortage) : shortage,
    )
  }

  #commit(units: readonly Unit[]): UnitResult[] {
    this.#run('BEGIN IMMEDIATE')
    const results = units.map((unit) => this.#apply(unit))
    const additions = units.flatMap((unit, index) =>
      unit.type === 'guarded' && Number(results[index]) > 0 ? unit.additions : [],
    )
    for (const sum of addUp(additions)) this.#step(sum)
    this.#run('COMMIT')
    return results
  }

  #apply(unit: Unit): UnitResult {
    switch (unit.type) {
      case 'returning': {
        const read = () => this.read(unit.statement)
        return this.#runAll(read, unit.steps, (rows) => rows.length > 0)
      }
      case 'all': {
        const [first, ...others] = unit.steps
        if (first === undefined) return 0
        return this.#runAll(
          () => this.#step(first),
          others,
          () => true,
        )
      }
      case 'guarded': {
        const guard = () => this.#step(unit.guard)
        return this.#runAll(guard, unit.steps, (changed) => changed > 0)
      }
    }
  }

  /** Runs several statements in a savepoint, which is rolled back if one of them fails. */
  #runAll<Result extends number | Row[]>(
    first: () => Result,
    others: readonly Statement[],
    goesOn: (result: Result) => boolean,
  ): UnitResult {
    if (others.length === 0) return this.#runOne(first)
    this.#run('SAVEPOINT unit')
    try {
      const result = first()
      if (goesOn(result)) for (const step of others) this.#step(step)
      this.#run('RELEASE unit')
      return result
    } catch (error) {
      const fault = this.#toUnitFault(error)
      this.#run('ROLLBACK TO unit')
      this.#run('RELEASE unit')
      return fault
    }
  }

  /** Runs a single statement, which is atomic without a savepoint. */
  #runOne(run: () => UnitResult): UnitResult {
    try {
      return run()
    } catch (error) {
      return this.#toUnitFault(error)
    }
  }

  #step({ sql, parameters }: Statement): number {
    return this.#prepare(sql).run(...parameters).changes
  }

  /** @throws the error itself if it concerns the whole batch */
  #toUnitFault(error: unknown): StorageFault {
    const fault = toFault(error)
    if (!this.#db.inTransaction || !isUnitFault(fault)) throw error
    return fault
  }

  #rollBack(error: unknown): StorageFault {
    const fault = this.#asShortage(toFault(error))
    if (isFatal(fault)) this.#failed = fault
    try {
      if (this.#db.inTransaction) this.#run('ROLLBACK')
    } catch (cause) {
      this.#failed ??= toFault(cause)
    }
    return fault
  }

  /** SQLite reports an exhausted quota like a broken disk, as a failed write. The file system tells them apart. */
  #asShortage(fault: StorageFault): StorageFault {
    const isShortage = fault.code === 'SQLITE_IOERR_WRITE' && this.#ballast?.hasNoRoom() === true
    return isShortage ? { code: 'SQLITE_FULL', message: 'the disk or its quota is full' } : fault
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
