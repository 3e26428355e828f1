import { hash } from 'node:crypto'
import type { SqlValue } from '../statement.ts'

/** Counts and sums of a table. They do not depend on the order of the rows. */
export type TableTally = {
  rows: number
  /** Sum of the digests of all rows, in hex. */
  digest: string
  /** Sums of the columns that count requests or tokens, as decimal text. */
  sums: Record<string, string>
}

const summed = /(_tokens|^requests|^errors|^receipts)$/

/** Counts and sums the rows of one table. */
export class Tally {
  readonly #columns: readonly string[]
  readonly #sums: { index: number; sum: bigint }[]
  #rows = 0
  #digest = 0n

  constructor(columns: readonly string[]) {
    this.#columns = columns
    this.#sums = columns.flatMap((name, index) => (summed.test(name) ? [{ index, sum: 0n }] : []))
  }

  /** Adds a row whose values are in the order of the columns. */
  add(row: readonly SqlValue[]): void {
    this.#rows++
    const digest = hash('sha256', JSON.stringify(row), 'buffer').readBigUInt64BE()
    this.#digest = BigInt.asUintN(64, this.#digest + digest)
    for (const entry of this.#sums) entry.sum += BigInt(row[entry.index] ?? 0)
  }

  get result(): TableTally {
    return {
      rows: this.#rows,
      digest: this.#digest.toString(16).padStart(16, '0'),
      sums: Object.fromEntries(
        this.#sums.map(({ index, sum }) => [this.#columns[index] ?? '', String(sum)]),
      ),
    }
  }
}
