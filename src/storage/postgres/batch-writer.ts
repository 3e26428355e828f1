import pg from 'pg'
import { addUp } from '../additions.ts'
import type { Statement } from '../statement.ts'
import { isUnitFault, type StorageFault } from '../storage-fault.ts'
import type { Row, Unit, UnitResult } from '../unit.ts'
import { isConflict, isReadOnly, isStalePlan, toPostgresFault } from './postgres-fault.ts'
import { toPostgresValues } from './to-postgres.ts'

const attemptsMax = 5
const preparedMax = 500

/**
 * Writes many units with one commit. Each unit takes effect whole or not at all, in the order of the batch. Statements
 * are sent without waiting for the ones before, so that a batch takes a few round trips instead of one for each
 * statement. The client needs the option `pipeline`.
 */
export class BatchWriter {
  readonly #client: pg.Client
  /** Names of prepared statements by their text. */
  readonly #names = new Map<string, string>()
  #named = 0

  constructor(client: pg.Client) {
    this.#client = client
  }

  /**
   * Returns one result per unit. Successful units are committed, which PostgreSQL's `synchronous_commit` makes durable.
   * @throws the driver's error if the connection is broken, in which case the batch may have taken effect, or if it only
   * reads
   */
  async write(units: readonly Unit[]): Promise<UnitResult[]> {
    // Savepoints cost two round trips per unit. Faults are rare, so savepoints are used only to retry a batch after a
    // fault.
    let isolates = false
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#commit(units, isolates)
      } catch (error) {
        // If the error is not from the server, the connection is broken, and a rollback would wait for another
        // timeout.
        if (!(error instanceof pg.DatabaseError)) throw error
        const fault = toPostgresFault(error)
        // Fails too if the connection is broken.
        await this.#client.query('rollback')
        // Setting the database to read-write again affects new connections only.
        if (isReadOnly(fault)) throw error
        if (isUnitFault(fault) && !isolates) isolates = true
        else if (isStalePlan(fault) && attempt < attemptsMax) await this.#forgetPrepared()
        else if (!isConflict(fault) || attempt >= attemptsMax) return units.map(() => fault)
      }
    }
  }

  async #commit(units: readonly Unit[], isolates: boolean): Promise<UnitResult[]> {
    const begun = this.#client.query('begin')
    begun.catch(() => {})
    const applied: Promise<UnitResult>[] = []
    for (const unit of units) {
      const result = isolates ? this.#applyAlone(unit) : this.#apply(unit)
      applied.push(result)
      // The rest of such a unit is sent after its first result, and the next unit must come after that.
      if (isolates || hasCondition(unit)) await Promise.allSettled([result])
      else result.catch(() => {})
    }
    await inOrder<unknown>([begun, ...applied])
    const results = await Promise.all(applied)
    const additions = units.flatMap((unit, index) =>
      unit.type === 'guarded' && Number(results[index]) > 0 ? unit.additions : [],
    )
    // All replicas update the sums in the same order, so two replicas cannot deadlock.
    const sums = addUp(additions).toSorted((a, b) => compare(a.parameters, b.parameters))
    await inOrder([...sums.map((sum) => this.#query(sum)), this.#client.query('commit')])
    return results
  }

  /** Applies a unit in a savepoint, so that its fault does not undo the other units of the batch. */
  async #applyAlone(unit: Unit): Promise<UnitResult> {
    await this.#client.query('savepoint unit')
    try {
      const result = await this.#apply(unit)
      await this.#client.query('release savepoint unit')
      return result
    } catch (error) {
      const fault: StorageFault = toPostgresFault(error)
      if (!isUnitFault(fault)) throw error
      await this.#client.query('rollback to savepoint unit')
      return fault
    }
  }

  async #apply(unit: Unit): Promise<UnitResult> {
    switch (unit.type) {
      case 'returning': {
        const { rows } = await this.#query(unit.statement)
        if (rows.length > 0) await this.#queryAll(unit.steps)
        return rows
      }
      case 'all': {
        const [first] = await this.#queryAll(unit.steps)
        return first?.rowCount ?? 0
      }
      case 'guarded': {
        const { rowCount } = await this.#query(unit.guard)
        if (rowCount !== null && rowCount > 0) await this.#queryAll(unit.steps)
        return rowCount ?? 0
      }
    }
  }

  async #queryAll(statements: readonly Statement[]): Promise<pg.QueryResult<Row>[]> {
    return await inOrder(statements.map((statement) => this.#query(statement)))
  }

  async #query({ sql, parameters }: Statement): Promise<pg.QueryResult<Row>> {
    return await this.#client.query<Row>({
      name: this.#nameOf(sql),
      text: sql,
      values: toPostgresValues(parameters),
    })
  }

  /** Returns undefined for a statement that is not prepared because there are already `preparedMax` others. */
  #nameOf(sql: string): string | undefined {
    const known = this.#names.get(sql)
    if (known !== undefined || this.#names.size >= preparedMax) return known
    const name = `pipit_${this.#named++}`
    this.#names.set(sql, name)
    return name
  }

  /** Makes the next use of each statement prepare it again. The driver refuses a name that had another text. */
  async #forgetPrepared(): Promise<void> {
    this.#names.clear()
    await this.#client.query('deallocate all')
  }
}

/** Returns true if some statements of the unit are sent only after the result of the first. */
function hasCondition(unit: Unit): boolean {
  return unit.type !== 'all' && unit.steps.length > 0
}

/** Waits for all. Throws the error of the first that failed, because later ones may fail for its sake. */
async function inOrder<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  const outcomes = await Promise.allSettled(promises)
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}

function compare(a: Statement['parameters'], b: Statement['parameters']): number {
  const [first, second] = [a.join('\n'), b.join('\n')]
  return first < second ? -1 : first > second ? 1 : 0
}
