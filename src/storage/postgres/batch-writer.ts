import pg from 'pg'
import { addUp } from '../additions.ts'
import type { Statement } from '../statement.ts'
import { isUnitFault, type StorageFault } from '../storage-fault.ts'
import type { Row, Unit, UnitResult } from '../unit.ts'
import { isConflict, toPostgresFault } from './postgres-fault.ts'
import { toPostgresValues } from './to-postgres.ts'

const attemptsMax = 5
const preparedMax = 500

/** Writes many units with one commit. Each unit takes effect whole or not at all. */
export class BatchWriter {
  readonly #client: pg.Client
  /** Names of prepared statements by their text. */
  readonly #names = new Map<string, string>()

  constructor(client: pg.Client) {
    this.#client = client
  }

  /**
   * Returns one result per unit. Successful units are committed, which PostgreSQL's `synchronous_commit` makes durable.
   * @throws the driver's error if the connection is broken; then the batch may have taken effect
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
        if (isUnitFault(fault) && !isolates) isolates = true
        else if (!isConflict(fault) || attempt >= attemptsMax) return units.map(() => fault)
      }
    }
  }

  async read(statement: Statement): Promise<Row[]> {
    return (await this.#query(statement)).rows
  }

  async #commit(units: readonly Unit[], isolates: boolean): Promise<UnitResult[]> {
    await this.#client.query('begin')
    const results: UnitResult[] = []
    for (const unit of units)
      results.push(isolates ? await this.#applyAlone(unit) : await this.#apply(unit))
    const additions = units.flatMap((unit, index) =>
      unit.type === 'guarded' && Number(results[index]) > 0 ? unit.additions : [],
    )
    // All replicas update the sums in the same order, so two replicas cannot deadlock.
    const sums = addUp(additions).toSorted((a, b) => compare(a.parameters, b.parameters))
    for (const sum of sums) await this.#query(sum)
    await this.#client.query('commit')
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
        const rows = await this.read(unit.statement)
        if (rows.length > 0) for (const step of unit.steps) await this.#query(step)
        return rows
      }
      case 'all':
        return await this.#applySteps(unit.steps, true)
      case 'guarded':
        return await this.#applySteps([unit.guard, ...unit.steps], false)
    }
  }

  /**
   * Returns the number of rows that the first step changed. If that is 0, the other steps run only if `always` is set.
   */
  async #applySteps(steps: readonly Statement[], always: boolean): Promise<number> {
    let changed = 0
    for (const [index, step] of steps.entries()) {
      if (index > 0 && !always && changed === 0) break
      const { rowCount } = await this.#query(step)
      if (index === 0) changed = rowCount ?? 0
    }
    return changed
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
    const name = `pipit_${this.#names.size}`
    this.#names.set(sql, name)
    return name
  }
}

function compare(a: Statement['parameters'], b: Statement['parameters']): number {
  const [first, second] = [a.join('\n'), b.join('\n')]
  return first < second ? -1 : first > second ? 1 : 0
}
