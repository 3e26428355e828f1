import type { SqlValue, Statement } from './statement.ts'

/**
 * Adds `amounts` to every row of `keys`. `sql` adds to one row: its placeholders are the values of the key,
 * followed by the amounts.
 */
export type Addition = {
  sql: string
  keys: readonly (readonly SqlValue[])[]
  amounts: readonly number[]
}

/** Merges the additions of one batch into one statement per row, because requests of one hour share rows. */
export function addUp(additions: readonly Addition[]): Statement[] {
  const tables = new Map<string, Map<string, Row>>()
  for (const { sql, keys, amounts } of additions) {
    const rows = tables.get(sql) ?? new Map<string, Row>()
    tables.set(sql, rows)
    for (const key of keys) {
      // Ids contain no line break.
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
