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
  const tables = new Map<string, Map<string, Row>>()
  for (const { sql, keys, amounts } of additions) {
    const rows = tables.get(sql) ?? new Map<string, Row>()
    tables.set(sql, rows)
    for (const key of keys) {
      // Ids hold no line break.
      const id = key.join('\n')
      const row = rows.get(id)
      if (row === undefined) rows.set(id, { key, amounts: [...amounts] })
      else
        for (const [index, amount] of amounts.entries())
          row.amounts[index] = (row.amounts[index] ?? 0) + amount
    }
  }
  return [...tables].flatMap(([sql, rows]) =>
    [...rows.values()].map(({ key, amounts }) => ({ sql, parameters: [...key, ...amounts] })),
  )
}

type Row = { key: readonly SqlValue[]; amounts: number[] }
