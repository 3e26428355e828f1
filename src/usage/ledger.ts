import { strict as assert } from 'node:assert'
import { type ErrorCode, ServiceError } from '../errors.ts'
import {
  idempotencyBytesMax,
  idempotencyMs,
  idempotencyReplyBytesMax,
  idempotencyRowBytes,
} from '../limits.ts'
import type { Addition } from '../storage/additions.ts'
import type { Database } from '../storage/database.ts'
import type { Statement } from '../storage/statement.ts'
import type { UsageRow } from '../storage/tables.ts'
import {
  claimKey,
  dropOldestReplies,
  findKey,
  keepReply,
  releaseKey,
  releaseOrphanKeys,
} from './idempotency-statements.ts'
import {
  countOrphans,
  deleteReserved,
  finalize,
  finalizeOrphans,
  findEntry,
  insertReserved,
  keepCheckpoint,
  sumAll,
} from './ledger-statements.ts'
import { isCompleted, isError, type Outcome } from './outcome.ts'
import { addOrphansToSums, addToSums } from './usage-sums-statements.ts'

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

/** What of an entry says where it counts. */
export type Settled = Pick<LedgerEntry, 'requestId' | 'accountId' | 'keyId' | 'createdMs'>

export type Settlement = {
  outcome: Outcome
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

/** What a request with an `Idempotency-Key` takes for itself, and keeps if it ends well. */
export type Claim = {
  accountId: string
  route: string
  keyDigest: string
  /** Of the body: the same key with another one is a mistake. */
  fingerprint: string
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

  /**
   * With a claim the entry is reserved only if nobody has the claim's key.
   * @throws ServiceError ledger_unavailable; then there is no entry, or it is about to go;
   *   idempotency_in_progress, idempotency_mismatch: then there is none
   */
  async reserve(entry: LedgerEntry, claim?: Claim): Promise<void> {
    const { requestId } = entry
    const reserved = this.#toReserved(entry)
    const steps = claim === undefined ? [reserved] : [this.#toClaimed(claim, requestId), reserved]
    let changed: number
    try {
      changed = await this.#database.write({ steps, guarded: true })
    } catch (error) {
      // After a timeout the row may still come, and nobody would settle it.
      if (error instanceof ServiceError)
        this.#database.writeSoon({
          steps: [deleteReserved({ requestId }), releaseKey({ requestId })],
          essential: true,
        })
      throw error
    }
    if (changed > 0 || claim === undefined) return
    // Somebody was faster, and may even have ended by now: the next try will find its reply.
    await this.findReply(claim)
    throw keyInProgress()
  }

  /**
   * What is kept for the claim's key; undefined: nothing, and nobody has it.
   * @throws ServiceError idempotency_in_progress, idempotency_mismatch, ledger_unavailable
   */
  async findReply(claim: Claim): Promise<string | undefined> {
    const [row] = await this.#database.read(findKey(claim))
    if (row === undefined) return undefined
    if (row.reply !== null && row.updated_ms <= this.#expiredMs()) return undefined
    if (row.fingerprint !== claim.fingerprint) throw keyMismatch()
    if (row.reply === null) throw keyInProgress()
    return row.reply
  }

  /**
   * Of an entry as it was reserved. Its first settlement holds; a repeat, as after a failure, changes
   * nothing. Of an entry with a claim the reply is kept, or the claim is released.
   * @throws ServiceError ledger_unavailable; a repeat is safe
   */
  async settle(
    entry: Settled,
    settlement: Settlement,
    claimed?: { reply: string | undefined },
  ): Promise<void> {
    const { requestId } = entry
    const kept = claimed === undefined ? [] : this.#toKept(requestId, claimed.reply)
    const changed = await this.#database.write({
      steps: [this.#toFinal(requestId, settlement), ...kept],
      addition: toAddition(entry, settlement),
      guarded: true,
      essential: true,
    })
    if (changed === 0)
      assert((await this.find(requestId))?.state === 'final', `${requestId} was never reserved`)
  }

  /** For what ended before it was reserved: nobody waits for it, and it is lost if it cannot be written. */
  refuse(entry: LedgerEntry, settlement: Settlement): void {
    this.#database.writeSoon({
      steps: [this.#toReserved(entry), this.#toFinal(entry.requestId, settlement)],
      addition: toAddition(entry, settlement),
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
      steps: [
        releaseOrphanKeys({ bootId: this.#bootId }),
        addOrphansToSums({ bootId: this.#bootId }),
        finalizeOrphans(values),
      ],
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
    const [sums] = await this.#database.read(sumAll(accountId))
    return {
      requests: Number(sums?.requests ?? 0),
      promptTokens: Number(sums?.prompt_tokens ?? 0),
      cachedTokens: Number(sums?.cached_tokens ?? 0),
      completionTokens: Number(sums?.completion_tokens ?? 0),
    }
  }

  #toClaimed(claim: Claim, requestId: string): Statement {
    const [nowMs, expiredMs] = [this.#now(), this.#expiredMs()]
    return claimKey({ ...claim, requestId, nowMs, expiredMs })
  }

  #toKept(requestId: string, reply: string | undefined): Statement[] {
    if (reply === undefined) return [releaseKey({ requestId })]
    const bytes = Buffer.byteLength(reply) + idempotencyRowBytes
    return [
      keepReply({ requestId, reply, bytes, nowMs: this.#now() }),
      // The oldest that stays may begin before the place from which they stay.
      dropOldestReplies({
        bytesMax: idempotencyBytesMax - idempotencyReplyBytesMax - idempotencyRowBytes,
      }),
    ]
  }

  #expiredMs(): number {
    return this.#now() - idempotencyMs
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
export function isBillable(outcome: Outcome): boolean {
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

export function keyInProgress(): ServiceError {
  return new ServiceError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is running. Try again in a moment to get its reply.',
    { retryAfterMs: 1000 },
  )
}

export function keyMismatch(): ServiceError {
  return new ServiceError(
    'idempotency_mismatch',
    'This Idempotency-Key was sent with another body. Take a new key for a new request.',
  )
}

function finishReasonOf(outcome: Outcome): 'stop' | 'length' | null {
  if (outcome === 'completed') return 'stop'
  return outcome === 'length' ? 'length' : null
}

/** An engine that failed could not say what it sampled; then it is what arrived here. */
function sourceOf(outcome: Outcome): 'engine' | 'counted' {
  return outcome === 'engine_crash' || outcome === 'internal_error' ? 'counted' : 'engine'
}

function toAddition(entry: Settled, settlement: Settlement): Addition {
  const { outcome, queueMs = 0, prefillMs = 0, decodeMs = 0 } = settlement
  const { promptTokens, cachedTokens, completionTokens } = settlement
  return addToSums({
    accountId: entry.accountId,
    keyId: entry.keyId,
    createdMs: entry.createdMs,
    errors: isError(outcome) ? 1 : 0,
    promptTokens,
    cachedTokens,
    completionTokens,
    latencyMs: isCompleted(outcome) ? queueMs + prefillMs + decodeMs : undefined,
  })
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}
