import type { SqlValue, Statement } from './statement.ts'

/**
 * Adds `amounts` to each of the rows that `keys` name. `sql` does so for one row; its placeholders are
 * first those of the key, then those of the amounts.
 */
export type Addition = {
  sql: string
  keys: readonly (readonly SqlValue[])[]
  amounts: readonly number[]
}

/** What a batch adds to one row is one statement: requests of one hour share their rows. */
export function addUp(additions: readonly Addition[]): Statement[] {
  const rows = new Map<string, { sql: string; key: readonly SqlValue[]; amounts: number[] }>()
  for (const { sql, keys, amounts } of additions)
    for (const key of keys) {
      const id = JSON.stringify([key, sql])
      const row = rows.get(id)
      if (row === undefined) rows.set(id, { sql, key, amounts: [...amounts] })
      else row.amounts = row.amounts.map((sum, index) => sum + (amounts[index] ?? 0))
    }
  return [...rows.values()].map(({ sql, key, amounts }) => ({
    sql,
    parameters: [...key, ...amounts],
  }))
}
