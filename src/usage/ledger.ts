import { strict as assert } from 'node:assert'
import { type ErrorCode, ServiceError } from '../errors.ts'
import type { Database } from '../storage/database.ts'
import type { Statement } from '../storage/statement.ts'
import type { UsageRow } from '../storage/tables.ts'
import {
  addOrphansToHours,
  addToHour,
  countOrphans,
  deleteReserved,
  finalize,
  finalizeOrphans,
  findEntry,
  insertReserved,
  keepCheckpoint,
  sumHours,
} from './ledger-statements.ts'

export type LedgerEntry = {
  requestId: string
  accountId: string
  keyId: string
  model: string
  route: string
  stream: boolean
  promptTokens: number
  maxTokens: number
  createdMs: number
  seed: number
  fingerprint: string
  /** Kept as they were sent; they changed nothing. */
  parameters: Readonly<Record<string, unknown>>
  /** Names that nobody knew. */
  ignored: readonly string[]
}

export type Settlement = {
  outcome:
    | 'completed'
    | 'length'
    | 'client_abort'
    | 'revoked'
    | 'engine_crash'
    | 'deadline'
    | 'shutdown'
    | 'internal_error'
    | 'refused'
  promptTokens: number
  cachedTokens: number
  completionTokens: number
  /** What the caller was told, if it was no success. */
  errorCode?: ErrorCode | undefined
  /** Undefined, as the next two: it did not get there. */
  queueMs?: number | undefined
  prefillMs?: number | undefined
  decodeMs?: number | undefined
}

export type UsageTotals = {
  requests: number
  promptTokens: number
  cachedTokens: number
  completionTokens: number
}

/**
 * What every request cost. An entry is reserved before its first token and settled once, whatever
 * became of the request; both are on disk when their promise resolves.
 */
export class Ledger {
  readonly #database: Database
  readonly #bootId: string
  readonly #now: () => number

  private constructor(database: Database, bootId: string, now: () => number) {
    this.#database = database
    this.#bootId = bootId
    this.#now = now
  }

  /** `bootId` tells the entries of this start from those that an earlier one left behind. */
  static open(database: Database, bootId: string, now: () => number = Date.now): Ledger {
    return new Ledger(database, bootId, now)
  }

  /** @throws ServiceError ledger_unavailable; then there is no entry, or it is about to go */
  async reserve(entry: LedgerEntry): Promise<void> {
    const { requestId } = entry
    try {
      await this.#database.write({ steps: [this.#toReserved(entry)] })
    } catch (error) {
      // After a timeout the row may still come, and nobody would settle it.
      if (error instanceof ServiceError)
        this.#database.writeSoon({ steps: [deleteReserved({ requestId })], essential: true })
      throw error
    }
  }

  /**
   * The first settlement of an entry holds; a repeat, as after a failure, changes nothing.
   * @throws ServiceError ledger_unavailable; a repeat is safe
   */
  async settle(requestId: string, settlement: Settlement): Promise<void> {
    const changed = await this.#database.write({
      steps: [this.#toFinal(requestId, settlement), addToHour({ requestId })],
      guarded: true,
      essential: true,
    })
    if (changed === 0)
      assert((await this.find(requestId))?.state === 'final', `${requestId} was never reserved`)
  }

  /** For what ended before it was reserved: nobody waits for it, and it is lost if it cannot be written. */
  refuse(entry: LedgerEntry, settlement: Settlement): void {
    const { requestId } = entry
    this.#database.writeSoon({
      steps: [
        this.#toReserved(entry),
        this.#toFinal(requestId, settlement),
        addToHour({ requestId }),
      ],
    })
  }

  /** Keeps the loss of a crash small; joins the next batch, and nobody waits for it. */
  checkpoint(requestId: string, completionTokens: number): void {
    const values = { requestId, completionTokens, nowMs: this.#now() }
    this.#database.writeSoon({ steps: [keepCheckpoint(values)], essential: true })
  }

  /** Closes what an earlier start left open, at its last checkpoint; returns how many. */
  async closeOrphans(): Promise<number> {
    const [found] = await this.#database.read(countOrphans(this.#bootId))
    const count = Number(found?.count ?? 0)
    if (count === 0) return 0
    const values = { bootId: this.#bootId, nowMs: this.#now() }
    await this.#database.write({
      steps: [addOrphansToHours({ bootId: this.#bootId }), finalizeOrphans(values)],
      essential: true,
    })
    return count
  }

  async find(requestId: string): Promise<UsageRow | undefined> {
    const [row] = await this.#database.read(findEntry(requestId))
    return row
  }

  /** Over all settled entries of the account. */
  async totals(accountId: string): Promise<UsageTotals> {
    const [sums] = await this.#database.read(sumHours(accountId))
    return {
      requests: Number(sums?.requests ?? 0),
      promptTokens: Number(sums?.prompt_tokens ?? 0),
      cachedTokens: Number(sums?.cached_tokens ?? 0),
      completionTokens: Number(sums?.completion_tokens ?? 0),
    }
  }

  #toReserved(entry: LedgerEntry): Statement {
    const { requestId, accountId, keyId, model, route, createdMs, promptTokens, maxTokens } = entry
    return insertReserved({
      requestId,
      accountId,
      keyId,
      model,
      route,
      stream: entry.stream ? 1 : 0,
      createdMs,
      promptTokens,
      maxTokens,
      nowMs: this.#now(),
      bootId: this.#bootId,
      seed: entry.seed,
      fingerprint: entry.fingerprint,
      parameters: isEmpty(entry.parameters) ? null : JSON.stringify(entry.parameters),
      ignored: isEmpty(entry.ignored) ? null : JSON.stringify(entry.ignored),
    })
  }

  #toFinal(requestId: string, settlement: Settlement): Statement {
    const { outcome, promptTokens, cachedTokens, completionTokens } = settlement
    for (const tokens of [promptTokens, cachedTokens, completionTokens])
      assert(Number.isSafeInteger(tokens) && tokens >= 0, 'token counts are whole numbers')
    return finalize({
      requestId,
      outcome,
      finishReason: finishReasonOf(outcome),
      promptTokens,
      cachedTokens,
      completionTokens,
      source: sourceOf(outcome),
      billable: isBillable(outcome) ? 1 : 0,
      queueMs: settlement.queueMs ?? null,
      prefillMs: settlement.prefillMs ?? null,
      decodeMs: settlement.decodeMs ?? null,
      errorCode: settlement.errorCode ?? null,
      nowMs: this.#now(),
    })
  }
}

/** What the caller got or gave up is billed; what the service failed to finish is not. */
export function isBillable(outcome: Settlement['outcome']): boolean {
  switch (outcome) {
    case 'completed':
    case 'length':
    case 'client_abort':
    case 'revoked':
      return true
    case 'engine_crash':
    case 'deadline':
    case 'shutdown':
    case 'internal_error':
    case 'refused':
      return false
  }
}

function finishReasonOf(outcome: Settlement['outcome']): 'stop' | 'length' | null {
  if (outcome === 'completed') return 'stop'
  return outcome === 'length' ? 'length' : null
}

/** An engine that failed could not say what it sampled; then it is what arrived here. */
function sourceOf(outcome: Settlement['outcome']): 'engine' | 'counted' {
  return outcome === 'engine_crash' || outcome === 'internal_error' ? 'counted' : 'engine'
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}
