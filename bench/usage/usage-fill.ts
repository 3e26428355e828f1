import { createOldDatabase } from '../../test/support/old-database.ts'
import { progress } from '../report.ts'

const batchRows = 250_000
export const accountId = 'acct_0123456789abcdef01234567'
/** Returns the id of a key by its rank; the key of rank 0 has the most requests. */
export const keyId = (rank: number) => `key_${String(rank).padStart(24, '0')}`

type Filling = { rows: number; keys: number; fromMs: number; toMs: number }

/**
 * Writes a ledger in an older version of the database, which has no sums by day and month. The requests are spread
 * evenly from `fromMs` to `toMs`. A few keys have most of the requests, one request in a thousand fails, and one in a
 * million exceeds its deadline.
 */
export async function fillLedger(dataDir: string, filling: Filling): Promise<void> {
  const { rows, keys, fromMs, toMs } = filling
  const file = await createOldDatabase(dataDir, 5)
  file.pragma('synchronous = OFF')
  file.pragma('cache_size = -65536')
  file.exec(`insert into accounts (id, name, created_ms) values ('${accountId}', 'bench', 0)`)
  const insert = file.prepare(`
    with recursive numbers(n) as (select ? union all select n + 1 from numbers where n + 1 < ?),
    drawn as (
      select n, ${fromMs} + n * ${(toMs - fromMs) / rows} as at, abs(random() % 1000000) as luck,
        abs(random() % 1000000) / 1000000.0 as spread
      from numbers
    )
    insert into usage (request_id, account_id, key_id, model, route, stream, created_ms, state, outcome,
      prompt_tokens, cached_tokens, completion_tokens, max_tokens, source, billable, updated_ms, boot_id,
      queue_ms, prefill_ms, decode_ms, seed, fingerprint)
    select printf('req_%012x%020x', at, n), '${accountId}', printf('key_%024d', ${keys} * spread * spread * spread),
      'svc-o1-mini', '/v1/chat/completions', n % 2, cast(at as integer), 'final',
      case when luck < 1 then 'deadline' when luck < 1000 then 'engine_crash' when luck < 10000 then 'refused'
        when luck < 30000 then 'client_abort' when luck < 100000 then 'length' else 'completed' end,
      20 + luck % 400, luck % 20, luck % 256, 256, 'engine', luck >= 10000, cast(at as integer), 'bench',
      luck % 7, 10 + luck % 90, 50 + luck * luck % 9000, luck, 'fp_bench'
    from drawn`)
  for (let n = 0; n < rows; n += batchRows) {
    insert.run(n, Math.min(rows, n + batchRows))
    progress(`${Math.min(rows, n + batchRows)} of ${rows} entries`)
  }
  file.exec(`
    insert into usage_hour select account_id, created_ms - created_ms % 3600000, key_id, model, billable, count(*),
      sum(prompt_tokens), sum(cached_tokens), sum(completion_tokens) from usage group by 1, 2, 3, 4, 5`)
  file.close()
}
