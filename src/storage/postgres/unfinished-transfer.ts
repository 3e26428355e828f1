import type pg from 'pg'
import { StartError } from '../../errors.ts'

/** Table whose only row describes the transfer that filled, or is filling, the database. */
export const transferTable = 'pipit_transfer'

/** @throws StartError if a transfer from SQLite has not copied all rows yet */
export async function refuseUnfinishedTransfer(client: pg.Client): Promise<void> {
  const found = await client.query<{ table: string | null }>(
    'select to_regclass($1)::text as table',
    [transferTable],
  )
  if ((found.rows[0]?.table ?? null) === null) return
  const { rows } = await client.query(`select 1 from ${transferTable} where finished_ms is null`)
  if (rows.length > 0)
    throw new StartError(
      'A `pipit migrate` to this database has not finished. Run the same command again; it goes on where it stopped.',
    )
}
