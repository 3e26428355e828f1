import { entryOpenMaxMs, orphanSweepMs } from '../../limits.ts'
import { hourMs } from '../../time/durations.ts'

/**
 * A broken invariant of the ledger. docs/operations.md explains the invariants. I5, one entry per request, needs no
 * rule: the primary key enforces it.
 */
export type LedgerFault = {
  invariant: 'I1' | 'I2' | 'I3' | 'I4' | 'I6'
  /** Phrase that follows “the ledger”. */
  text: string
  remedy: string
}

/**
 * A query for SQLite and PostgreSQL that finds the request ids, or the places in the sums, that break an invariant.
 */
export type LedgerRule = LedgerFault & {
  /** Has the parameter `most` (maximum number of rows) and those of its kind of rule. Returns one column, `found`. */
  readonly sql: string
  /** True if `found` is the time at which an hour begins. */
  readonly findsHours?: boolean
}

const keepCopy = 'Stop the service and keep a copy of its database.'
const report = 'Look for the request ids in the log, and report them with its lines.'
const restart =
  'Restart the service: a start closes open entries as server_crash and frees their keys.'

/** Rules for entries that arrived at or after `fromMs` and before `toMs`. */
export const entryRules: readonly LedgerRule[] = [
  {
    invariant: 'I1',
    text: 'has settled entries without an outcome or its tokens, or open entries with an outcome',
    remedy: `${keepCopy} Another program may have written to it; restore the last backup. Otherwise: ${report}`,
    sql: `select request_id as found from usage where created_ms >= :fromMs and created_ms < :toMs
      and ((state = 'final') <> (outcome is not null)
        or (outcome in ('completed', 'length') and completion_tokens is null)) limit :most`,
  },
  {
    invariant: 'I4',
    text: 'has entries with more completion tokens than the request admitted',
    remedy: `${keepCopy} Charge these requests for max_tokens only. ${report}`,
    sql: `select request_id as found from usage where created_ms >= :fromMs and created_ms < :toMs
      and completion_tokens > max_tokens limit :most`,
  },
  {
    invariant: 'I6',
    text: 'has entries with impossible counts of tokens',
    remedy: `${keepCopy} Another program may have written to it; restore the last backup. Otherwise: ${report}`,
    sql: `select request_id as found from usage where created_ms >= :fromMs and created_ms < :toMs
      and (prompt_tokens < 0 or completion_tokens < 0 or reasoning_tokens < 0
        or cached_tokens not between 0 and prompt_tokens or reasoning_tokens > completion_tokens) limit :most`,
  },
]

/** Rules for whole tables that stay small. */
export const tableRules: readonly LedgerRule[] = [
  {
    invariant: 'I1',
    text: 'has kept replies whose usage is not that of their entry',
    remedy: `${keepCopy} The kept reply is what the client received; charge for its usage. ${report}`,
    sql: `select idempotency.request_id as found from idempotency
      join usage on usage.request_id = idempotency.request_id
      where idempotency.reply is not null and (usage.state <> 'final' or usage.outcome not in ('completed', 'length')
        or usage.prompt_tokens <> json_extract(reply, '$.events[#-1].usage.promptTokens')
        or usage.completion_tokens <> json_extract(reply, '$.events[#-1].usage.completionTokens'))
      limit :most`,
  },
  {
    invariant: 'I2',
    text: 'has idempotency keys that no running request holds, so that retries get 409',
    remedy: `${keepCopy} Then free the keys: delete the rows with the named request_id from the table idempotency.`,
    sql: `select request_id as found from idempotency where reply is null and not exists
      (select 1 from usage where usage.request_id = idempotency.request_id and usage.state = 'reserved') limit :most`,
  },
]

/** Age at which an open entry is a fault: its request cannot be running, and the sweep should have closed it. */
export const openMaxMs = entryOpenMaxMs + 2 * orphanSweepMs

/** Finds open entries that arrived before `beforeMs`. */
export const openRule: LedgerRule = {
  invariant: 'I2',
  text: `has entries that have been open for more than ${Math.ceil(openMaxMs / 60_000)} minutes`,
  remedy: `${restart} If the log says that the ledger cannot be written, mend the disk first.`,
  sql: `select request_id as found from usage
    where state = 'reserved' and boot_id >= '' and created_ms < :beforeMs limit :most`,
}

const sumsRemedy =
  `${keepCopy} The entries are right; limits per day and month and the panel read the sums. Restore the last backup ` +
  'whose check is clean, or report the difference.'

/** Finds accounts whose four totals differ: by hour and key, by hour, by day and by month. */
export const sumsRule: LedgerRule = {
  invariant: 'I3',
  text: 'has accounts whose sums by hour, day and month differ',
  remedy: sumsRemedy,
  sql: `select distinct account_id as found from (
      select account_id, requests, errors, prompt_tokens, cached_tokens, completion_tokens from (
        select account_id, sum(requests) as requests, sum(errors) as errors,
          sum(prompt_tokens) as prompt_tokens, sum(cached_tokens) as cached_tokens,
          sum(completion_tokens) as completion_tokens
        from usage_sums group by account_id, span || (key_id = '')) as totals
      group by account_id, requests, errors, prompt_tokens, cached_tokens, completion_tokens
      having count(*) <> 4) as accounts limit :most`,
}

/**
 * Finds hours after the oldest entry that have tokens in their sums but not a single entry. If there is no entry at all,
 * finds hours after `keptFromMs`, the time from which entries are certainly kept.
 */
export const lostHoursRule: LedgerRule = {
  invariant: 'I3',
  text: 'has hours with tokens in their sums and no entries',
  remedy: `${keepCopy} Entries were lost, and the sums are right. Restore a backup that has them, or report the difference.`,
  findsHours: true,
  sql: `select begin_ms as found from (
      select distinct begin_ms from usage_sums
      where span = 'hour' and key_id = '' and prompt_tokens + completion_tokens > 0 and begin_ms >=
        coalesce((select min(created_ms) from usage where state = 'final'), :keptFromMs)) as hours
    where not exists (select 1 from usage where created_ms >= begin_ms and created_ms < begin_ms + ${hourMs})
    order by begin_ms desc limit :most`,
}

/**
 * Compares the sums of the hour that starts at `fromMs` with its entries. Refusals without a receipt appear only in the
 * sums, as requests without tokens. In the oldest hour, some entries may already be deleted. The statement itself finds
 * out which hour that is, because a running service deletes entries meanwhile.
 */
export const hourRule: LedgerRule = {
  invariant: 'I3',
  text: 'has hours whose sums are not those of their entries',
  remedy: sumsRemedy,
  sql: `with entries as (
      select account_id, key_id, count(*) as requests,
        sum(case when outcome in ('completed', 'length', 'client_abort') then 0 else 1 end) as errors, sum(prompt_tokens) as prompt,
        sum(coalesce(cached_tokens, 0)) as cached, sum(coalesce(completion_tokens, 0)) as completion
      from usage where created_ms >= :fromMs and created_ms < :toMs and state = 'final' group by account_id, key_id),
    sums as (
      select account_id, key_id, requests, errors, prompt_tokens as prompt, cached_tokens as cached,
        completion_tokens as completion
      from usage_sums where span = 'hour' and key_id <> '' and begin_ms = :fromMs)
    select coalesce(entries.key_id, sums.key_id) as found
    from entries full join sums on sums.account_id = entries.account_id and sums.key_id = entries.key_id
    where coalesce(sums.requests, 0) < coalesce(entries.requests, 0)
      or case when coalesce((select min(created_ms) from usage where state = 'final'), :toMs) >= :fromMs then
          coalesce(sums.prompt, 0) < coalesce(entries.prompt, 0)
          or coalesce(sums.completion, 0) < coalesce(entries.completion, 0)
        else
          coalesce(sums.prompt, 0) <> coalesce(entries.prompt, 0)
          or coalesce(sums.cached, 0) <> coalesce(entries.cached, 0)
          or coalesce(sums.completion, 0) <> coalesce(entries.completion, 0)
          or coalesce(sums.errors, 0) - coalesce(entries.errors, 0)
            not between 0 and coalesce(sums.requests, 0) - coalesce(entries.requests, 0)
        end
    limit :most`,
}
