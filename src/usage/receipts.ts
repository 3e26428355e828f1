import { type Expression, sql, type SqlBool } from 'kysely'
import type { Database } from '../storage/database.ts'
import { queries } from '../storage/statement.ts'
import type { UsageRow } from '../storage/tables.ts'
import { outcomesOf, type ReceiptStatus, receiptStatuses, statusOf } from './outcome.ts'

export type Receipt = {
  requestId: string
  status: ReceiptStatus
  model: string
  route: string
  stream: boolean
  keyId: string
  createdMs: number
  finishReason: string | undefined
  /** The error that the caller received. Receipts of earlier releases have its code only. */
  error: { code: string; param: string | null; message: string | null } | undefined
  promptTokens: number
  cachedTokens: number
  completionTokens: number
  /** Completion tokens spent on reasoning; undefined for a model that does not reason. */
  reasoningTokens: number | undefined
  maxTokens: number
  queueMs: number | undefined
  prefillMs: number | undefined
  decodeMs: number | undefined
  seed: number | undefined
  fingerprint: string | undefined
  parameters: Record<string, unknown>
  ignored: string[]
}

/** An absent member does not filter. */
export type ReceiptFilter = {
  /** Only requests older than the one with this id. */
  after?: string | undefined
  /** The whole id of one request. */
  requestId?: string | undefined
  status?: ReceiptStatus | undefined
  /** The code of the error that the caller received. */
  errorCode?: string | undefined
  keyId?: string | undefined
  fromMs?: number | undefined
  toMs?: number | undefined
}

/** Receipts from the ledger: status, tokens and timing of requests, without prompts or replies. */
export class Receipts {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** @throws ServiceError ledger_unavailable */
  async find(accountId: string, requestId: string): Promise<Receipt | undefined> {
    const row = await this.#row(accountId, requestId)
    return row && toReceipt(row)
  }

  /**
   * Returns one page, newest first, or undefined if the account has no request with the id `after`.
   * @throws ServiceError ledger_unavailable
   */
  async list(
    accountId: string,
    limit: number,
    { after, ...filter }: ReceiptFilter = {},
  ): Promise<Receipt[] | undefined> {
    const last = after === undefined ? undefined : await this.#row(accountId, after)
    if (after !== undefined && last === undefined) return undefined
    const rows = await this.#database.readAside(selectPage(accountId, limit, filter, last))
    return rows.map(toReceipt)
  }

  async #row(accountId: string, requestId: string): Promise<UsageRow | undefined> {
    const [row] = await this.#database.read(
      queries
        .selectFrom('usage')
        .selectAll()
        .where('request_id', '=', requestId)
        .where('account_id', '=', accountId),
    )
    return row
  }
}

/**
 * Selects the newest requests of each outcome, then the newest of those. Each part of the union reads only a few index
 * entries, even for a rare outcome. SQLite sorts only requests of the same millisecond.
 */
function selectPage(
  accountId: string,
  limit: number,
  filter: Omit<ReceiptFilter, 'after'>,
  last: UsageRow | undefined,
) {
  const { requestId, status, errorCode, keyId } = filter
  const { fromMs = 0, toMs = Number.MAX_SAFE_INTEGER } = filter
  const matching = (createdMs: Expression<number>) =>
    queries
      .selectFrom('usage')
      .selectAll()
      .where('account_id', '=', accountId)
      .where(createdMs, '>=', fromMs)
      .where(createdMs, '<', toMs)
      .$if(keyId !== undefined, (query) => query.where('key_id', '=', keyId ?? ''))
      .$if(requestId !== undefined, (query) => query.where('request_id', '=', requestId ?? ''))
      .$if(last !== undefined, (query) => query.where(isOlderThan(createdMs, last)))
  const newest = matching(sql.ref('created_ms'))
    .orderBy('created_ms', 'desc')
    .orderBy('request_id', 'desc')
    .limit(limit)
  // The plus and the always-true condition make SQLite use the index of reserved entries. With the index on time, it
  // would read the whole ledger.
  const running = matching(sql`+created_ms`)
    .where('state', '=', sql.lit('reserved'))
    .where('boot_id', '>=', '')
  // With an error code, one part is enough, read through the index of error codes. The outcome is an expression, so
  // that SQLite cannot use the indexes of outcomes.
  const failed = newest
    .where('state', '=', sql.lit('final'))
    .where('error_code', '=', errorCode ?? '')
    .where(sql`outcome || ''`, 'in', allOutcomesOf(status))
  if (errorCode !== undefined) return failed
  const parts = (status === undefined ? receiptStatuses : [status]).flatMap((one) =>
    one === 'in_progress'
      ? [running]
      : outcomesOf(one).map((outcome) =>
          newest.where('state', '=', sql.lit('final')).where('outcome', '=', outcome),
        ),
  )
  // In a part of a union, SQLite accepts an order and a limit only inside a subquery.
  const [first, ...others] = parts.map((part) => queries.selectFrom(part.as('part')).selectAll())
  if (first === undefined) throw new Error('every status has an outcome')
  return queries
    .selectFrom(others.reduce((all, next) => all.unionAll(next), first).as('found'))
    .selectAll()
    .orderBy('created_ms', 'desc')
    .orderBy('request_id', 'desc')
    .limit(limit)
}

/** Returns the outcomes of a status, or the outcomes of all ended requests if there is no status. */
function allOutcomesOf(status: ReceiptStatus | undefined): readonly string[] {
  if (status === 'in_progress') return ['']
  const all = receiptStatuses.filter((one) => one !== 'in_progress')
  return (status === undefined ? all : [status]).flatMap((one) => outcomesOf(one))
}

function isOlderThan(
  createdMs: Expression<number>,
  last: UsageRow | undefined,
): Expression<SqlBool> {
  const { created_ms: lastMs, request_id: lastId } = last ?? { created_ms: 0, request_id: '' }
  return sql<SqlBool>`(${createdMs} <= ${lastMs} and (${createdMs} < ${lastMs} or request_id < ${lastId}))`
}

function toReceipt(row: UsageRow): Receipt {
  return {
    requestId: row.request_id,
    status: row.state === 'reserved' ? 'in_progress' : statusOf(row.outcome),
    model: row.model,
    route: row.route,
    stream: row.stream === 1,
    keyId: row.key_id,
    createdMs: row.created_ms,
    finishReason: row.finish_reason ?? undefined,
    error:
      row.error_code === null
        ? undefined
        : { code: row.error_code, param: row.error_param, message: row.error_message },
    promptTokens: row.prompt_tokens,
    cachedTokens: row.cached_tokens ?? 0,
    completionTokens: row.completion_tokens ?? 0,
    reasoningTokens: row.reasoning_tokens ?? undefined,
    maxTokens: row.max_tokens,
    queueMs: row.queue_ms ?? undefined,
    prefillMs: row.prefill_ms ?? undefined,
    decodeMs: row.decode_ms ?? undefined,
    seed: row.seed ?? undefined,
    fingerprint: row.fingerprint ?? undefined,
    // Only the ledger writes these columns.
    parameters: JSON.parse(row.parameters ?? '{}') as Record<string, unknown>,
    ignored: JSON.parse(row.ignored ?? '[]') as string[],
  }
}
