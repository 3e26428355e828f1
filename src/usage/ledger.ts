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
  /** Neutral parameters as they were sent. */
  parameters: Readonly<Record<string, unknown>>
  /** Names of unknown parameters. */
  ignored: readonly string[]
}

/** The part of an entry that its settlement needs. */
type Settled = Pick<LedgerEntry, 'requestId' | 'accountId' | 'keyId' | 'createdMs'>

export type Settlement = {
  outcome: Outcome
  promptTokens: number
  cachedTokens: number
  completionTokens: number
  /** Code of the error that the caller received, if any. */
  errorCode?: ErrorCode | undefined
  /** Time in the queue; undefined, like the next two, if the request did not reach that phase. */
  queueMs?: number | undefined
  prefillMs?: number | undefined
  decodeMs?: number | undefined
}

/** The claim of a request on its `Idempotency-Key`. A successful request keeps its reply under it. */
export type Claim = {
  accountId: string
  route: string
  keyDigest: string
  /** Digest of the body. The same key with another body is an error. */
  fingerprint: string
}

/**
 * The usage of every request. An entry is reserved before its first token and settled once, however the request
 * ends. Both are on disk when their promise resolves.
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

  /** @param bootId distinguishes the entries of this run of the service from those of earlier runs */
  static open(database: Database, bootId: string, now: () => number = Date.now): Ledger {
    return new Ledger(database, bootId, now)
  }

  /**
   * Reserves an entry; with a claim, only if no other request holds its key.
   * @throws ServiceError ledger_unavailable (an entry that was written is deleted later), idempotency_in_progress,
   *   idempotency_mismatch
   */
  async reserve(entry: LedgerEntry, claim?: Claim): Promise<void> {
    const { requestId } = entry
    const reserved = this.#toReserved(entry)
    let changed: number
    try {
      changed =
        claim === undefined
          ? await this.#database.write([reserved])
          : await this.#database.writeGuarded({
              guard: this.#toClaimed(claim, requestId),
              steps: [reserved],
              additions: [],
            })
    } catch (error) {
      // After a timeout the row may still be written, and would never be settled.
      if (error instanceof ServiceError)
        this.#database.writeSoon(
          [deleteReserved({ requestId }), releaseKey({ requestId })],
          'essential',
        )
      throw error
    }
    if (changed > 0 || claim === undefined) return
    // Another request holds the key. If it has ended meanwhile, a retry gets its reply.
    await this.findReply(claim)
    throw keyInProgress()
  }

  /**
   * Returns the reply that is kept under the claim's key, or undefined if the key is free.
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
   * Settles a reserved entry. The first settlement counts; a repeat changes nothing.
   * @param claimed given for an entry with a claim: its reply is kept, or without a reply the claim is released
   * @throws ServiceError ledger_unavailable; a repeat is safe
   */
  async settle(
    entry: Settled,
    settlement: Settlement,
    claimed?: { reply: string | undefined },
  ): Promise<void> {
    const { requestId } = entry
    const kept = claimed === undefined ? [] : this.#toKept(requestId, claimed.reply)
    const changed = await this.#database.writeGuarded(
      {
        guard: this.#toFinal(requestId, settlement),
        steps: kept,
        additions: [toAddition(entry, settlement)],
      },
      'essential',
    )
    if (changed === 0)
      assert((await this.find(requestId))?.state === 'final', `${requestId} was never reserved`)
  }

  /** Records a request that ended before it was reserved. Failures are ignored. */
  refuse(entry: LedgerEntry, settlement: Settlement): void {
    this.#database.writeGuardedSoon({
      guard: this.#toReserved(entry),
      steps: [this.#toFinal(entry.requestId, settlement)],
      additions: [toAddition(entry, settlement)],
    })
  }

  /** Records the tokens so far, which a crash would otherwise lose. Failures are ignored. */
  checkpoint(requestId: string, completionTokens: number): void {
    const values = { requestId, completionTokens, nowMs: this.#now() }
    this.#database.writeSoon([keepCheckpoint(values)], 'essential')
  }

  /** Settles the entries that earlier runs left open, at their last checkpoint. Returns their number. */
  async closeOrphans(): Promise<number> {
    const [found] = await this.#database.read(countOrphans(this.#bootId))
    const count = Number(found?.count ?? 0)
    if (count === 0) return 0
    const values = { bootId: this.#bootId, nowMs: this.#now() }
    await this.#database.write(
      [
        releaseOrphanKeys({ bootId: this.#bootId }),
        addOrphansToSums({ bootId: this.#bootId }),
        finalizeOrphans(values),
      ],
      'essential',
    )
    return count
  }

  async find(requestId: string): Promise<UsageRow | undefined> {
    const [row] = await this.#database.read(findEntry(requestId))
    return row
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
      // The oldest reply that stays may begin before the limit, so its size is subtracted.
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
      queueMs: settlement.queueMs ?? null,
      prefillMs: settlement.prefillMs ?? null,
      decodeMs: settlement.decodeMs ?? null,
      errorCode: settlement.errorCode ?? null,
      nowMs: this.#now(),
    })
  }
}

export function keyInProgress(): ServiceError {
  return new ServiceError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still running. Retry shortly to get its reply.',
    { retryAfterMs: 1000 },
  )
}

export function keyMismatch(): ServiceError {
  return new ServiceError(
    'idempotency_mismatch',
    'This Idempotency-Key was used with another body. Use a new key for a new request.',
  )
}

function finishReasonOf(outcome: Outcome): 'stop' | 'length' | null {
  if (outcome === 'completed') return 'stop'
  return outcome === 'length' ? 'length' : null
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
