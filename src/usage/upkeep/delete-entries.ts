import { setTimeout as delay } from 'node:timers/promises'
import { retentionBatchMax, retentionPauseMs } from '../../limits.ts'
import type { Database } from '../../storage/database.ts'
import { queries, type Statement, template } from '../../storage/statement.ts'

/** Deletes the oldest entries from before `beforeMs`. Reserved entries stay, because they are not settled yet. */
export const deleteOldEntries = template<{ beforeMs: number }>((value) =>
  queries
    .deleteFrom('usage')
    .where('request_id', 'in', (eb) =>
      eb
        .selectFrom('usage')
        .select('request_id')
        .where('created_ms', '<', value('beforeMs'))
        .where('state', '=', 'final')
        .orderBy('created_ms')
        .limit(retentionBatchMax),
    ),
)

/**
 * Repeats a statement that deletes at most `retentionBatchMax` rows, until no row is left. Pauses between the batches
 * let other writes through.
 * @param goOn called with the number of rows deleted by each batch; false stops the deletion
 * @throws ServiceError ledger_unavailable
 */
export async function deleteInBatches(
  database: Database,
  statement: Statement,
  goOn: (deleted: number) => boolean | Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const deleted = await database.write([statement])
    if (!(await goOn(deleted)) || deleted < retentionBatchMax) break
    await delay(retentionPauseMs, undefined, { signal }).catch(() => {})
  }
}
