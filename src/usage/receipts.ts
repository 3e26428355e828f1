import type { Database } from '../storage/database.ts'
import { queries } from '../storage/statement.ts'
import type { UsageRow } from '../storage/tables.ts'

export type Receipt = {
  requestId: string
  status: 'in_progress' | 'completed' | 'cancelled' | 'refused' | 'failed'
  model: string
  route: string
  stream: boolean
  keyId: string
  createdMs: number
  finishReason: string | undefined
  errorCode: string | undefined
  promptTokens: number
  cachedTokens: number
  completionTokens: number
  maxTokens: number
  queueMs: number | undefined
  prefillMs: number | undefined
  decodeMs: number | undefined
  seed: number | undefined
  fingerprint: string | undefined
  parameters: Record<string, unknown>
  ignored: string[]
}

/** What became of an account's requests, as the ledger has it: never the prompt, never the reply. */
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
   * Newest first; those that are older than the one named `after`, if it is given. Undefined: the
   * account has no such request.
   * @throws ServiceError ledger_unavailable
   */
  async list(accountId: string, limit: number, after?: string): Promise<Receipt[] | undefined> {
    const last = after === undefined ? undefined : await this.#row(accountId, after)
    if (after !== undefined && last === undefined) return undefined
    const rows = await this.#database.read(selectOlder(accountId, last).limit(limit))
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

/** By the index on account and time; only requests of the same millisecond are put in order. */
function selectOlder(accountId: string, last: UsageRow | undefined) {
  const all = queries
    .selectFrom('usage')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_ms', 'desc')
    .orderBy('request_id', 'desc')
  if (last === undefined) return all
  return all
    .where('created_ms', '<=', last.created_ms)
    .where((eb) =>
      eb.or([eb('created_ms', '<', last.created_ms), eb('request_id', '<', last.request_id)]),
    )
}

function toReceipt(row: UsageRow): Receipt {
  return {
    requestId: row.request_id,
    status: statusOf(row),
    model: row.model,
    route: row.route,
    stream: row.stream === 1,
    keyId: row.key_id,
    createdMs: row.created_ms,
    finishReason: row.finish_reason ?? undefined,
    errorCode: row.error_code ?? undefined,
    promptTokens: row.prompt_tokens,
    cachedTokens: row.cached_tokens ?? 0,
    completionTokens: row.completion_tokens ?? 0,
    maxTokens: row.max_tokens,
    queueMs: row.queue_ms ?? undefined,
    prefillMs: row.prefill_ms ?? undefined,
    decodeMs: row.decode_ms ?? undefined,
    seed: row.seed ?? undefined,
    fingerprint: row.fingerprint ?? undefined,
    // Nobody but the ledger writes these columns.
    parameters: JSON.parse(row.parameters ?? '{}') as Record<string, unknown>,
    ignored: JSON.parse(row.ignored ?? '[]') as string[],
  }
}

function statusOf({ state, outcome }: UsageRow): Receipt['status'] {
  if (state === 'reserved') return 'in_progress'
  if (outcome === 'completed' || outcome === 'length') return 'completed'
  if (outcome === 'client_abort') return 'cancelled'
  return outcome === 'refused' ? 'refused' : 'failed'
}
