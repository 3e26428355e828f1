import { sql } from 'kysely'
import type { ErrorCode } from '../../errors.ts'
import type { Addition } from '../../storage/additions.ts'
import { queries, template, toStatement } from '../../storage/statement.ts'
import { hourMs } from '../../time/durations.ts'
import { startOfHour } from '../utc-periods.ts'

type Failed = {
  accountId: string
  keyId: string
  createdMs: number
  code: ErrorCode
  requests: number
  /** Requests that have a receipt. */
  receipts: number
  /** Requests that were refused before a token was generated. */
  refused: number
}

/** Counts failed requests in the hourly rows of their key and of all keys of the account. */
export function addToErrors(failed: Failed): Addition {
  const { accountId, keyId, createdMs, code, requests, receipts, refused } = failed
  const beginMs = startOfHour(createdMs)
  return {
    sql: addOne,
    keys: [
      [accountId, keyId, beginMs, code],
      [accountId, '', beginMs, code],
    ],
    amounts: [requests, receipts, refused],
  }
}

/**
 * Adds the orphans to the counts of failed requests; runs in the same unit as `finalizeOrphans`, before it.
 * @param requestIds a JSON list
 */
export const addOrphansToErrors = template<{ requestIds: string }>((value) => {
  const orphans = (keyId: string) =>
    queries
      .selectFrom('usage')
      .select((eb) => [
        'account_id',
        sql.raw<string>(keyId).as('key_id'),
        sql<number>`created_ms - created_ms % ${sql.lit(hourMs)}`.as('begin_ms'),
        sql.lit('internal_error').as('code'),
        eb.fn.countAll<number>().as('requests'),
        eb.fn.countAll<number>().as('receipts'),
        eb.lit(0).as('refused'),
      ])
      .where('state', '=', sql.lit('reserved'))
      .where('request_id', 'in', sql<string>`(select value from json_each(${value('requestIds')}))`)
      // Groups by columns 2 and 3 (key and hour), because a statement may add to a row only once.
      .groupBy(['account_id', sql.raw('2'), sql.raw('3')])
  return addUp().expression(orphans('key_id').unionAll(orphans("''")))
})

const addOne = toStatement(
  addUp().values({
    account_id: '',
    key_id: '',
    begin_ms: 0,
    code: '',
    requests: 0,
    receipts: 0,
    refused: 0,
  }),
).sql

function addUp() {
  return queries
    .insertInto('usage_errors')
    .columns(['account_id', 'key_id', 'begin_ms', 'code', 'requests', 'receipts', 'refused'])
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'key_id', 'begin_ms', 'code']).doUpdateSet({
        requests: sql<number>`usage_errors.requests + excluded.requests`,
        receipts: sql<number>`usage_errors.receipts + excluded.receipts`,
        refused: sql<number>`usage_errors.refused + excluded.refused`,
      }),
    )
}
