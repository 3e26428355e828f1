import { strict as assert } from 'node:assert'
import { type ErrorCode, ServiceError } from '../errors.ts'
import {
  entryOpenMaxMs,
  idempotencyBytesMax,
  idempotencyMs,
  idempotencyReplyBytesMax,
  idempotencyRowBytes,
  receiptErrorMessageCharsMax,
  receiptErrorParamCharsMax,
  receiptParametersBytesMax,
  refusalParametersBytesMax,
} from '../limits.ts'
import type { Addition } from '../storage/additions.ts'
import type { Database } from '../storage/database.ts'
import type { Statement } from '../storage/statement.ts'
import type { UsageRow } from '../storage/tables.ts'
import { mayTakeEffect, unavailable } from '../storage/storage-fault.ts'
import type { Guarded } from '../storage/unit.ts'
import { type Logger, silentLogger } from '../telemetry/logger.ts'
import {
  claimKey,
  dropOldestReplies,
  findKey,
  keepReply,
  releaseKey,
} from './idempotency-statements.ts'
import {
  finalize,
  findEntry,
  findReserved,
  insertReserved,
  insertReservedByReplica,
  keepCheckpoint,
  type Reserved,
  withdrawal,
} from './ledger-statements.ts'
import { finishReasonOf, isCompleted, isError, type Outcome } from './outcome.ts'
import { boundedJson, boundedNames } from './refusals/bounded-json.ts'
import { ReceiptSample } from './refusals/receipt-sample.ts'
import { RefusalCounts } from './refusals/refusal-counts.ts'
import { addToErrors } from './refusals/usage-errors-statements.ts'
import { closeEntries, readOpenEntries } from './replicas/close-replica.ts'
import { RetriedWrites } from './upkeep/retried-writes.ts'
import { addToTimes } from './times/usage-times-statements.ts'
import { addToSums, type Counted } from './usage-sums-statements.ts'

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
  /** Null, like `fingerprint`, for a request that was refused before they were known. */
  seed: number | null
  fingerprint: string | null
  /** Accepted parameters that cannot change the reply, as they were sent. */
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
  /** Completion tokens spent on reasoning; set only for a model that reasons. */
  reasoningTokens?: number | undefined
  /** The error that the caller received, if any. */
  error?: { code: ErrorCode; param?: string | null; message?: string } | undefined
  /** Time in the queue. This and the next two times are undefined for a phase that the request did not reach. */
  queueMs?: number | undefined
  prefillMs?: number | undefined
  decodeMs?: number | undefined
}

/** Claim of a request on its `Idempotency-Key`. If the request succeeds, its reply is stored under the key. */
export type Claim = {
  accountId: string
  route: string
  keyDigest: string
  /** Digest of the body. The same key with another body is an error. */
  fingerprint: string
}

type LedgerOptions = {
  now?: () => number
  /** Clock by which stored replies expire. */
  expiryNow?: () => number
  logger?: Logger
  /** Registration of this service if several share the database. Entries then have its id as their `boot_id`. */
  replica?: { readonly id: string } | undefined
}

/**
 * Records the usage of every request. An entry is reserved before its first token and settled once, however the request
 * ends. Both writes are on disk when their promise resolves.
 */
export class Ledger {
  readonly #database: Database
  readonly #bootId: string
  readonly #replica: { readonly id: string } | undefined
  readonly #now: () => number
  readonly #expiryNow: () => number
  readonly #retries: RetriedWrites
  readonly #sample = new ReceiptSample()
  readonly #refusals: RefusalCounts
  /**
   * Ids of this process's requests with a reserved entry, each with the time of the reservation on the steady clock.
   */
  readonly #open = new Map<string, number>()

  private constructor(database: Database, bootId: string, options: LedgerOptions) {
    this.#database = database
    this.#bootId = bootId
    this.#replica = options.replica
    this.#now = options.now ?? Date.now
    this.#expiryNow = options.expiryNow ?? this.#now
    this.#retries = new RetriedWrites(database, options.logger ?? silentLogger)
    this.#refusals = new RefusalCounts(database, this.#now, options.logger ?? silentLogger)
  }

  /** @param bootId distinguishes the entries of this run of the service from those of earlier runs */
  static open(database: Database, bootId: string, options: LedgerOptions = {}): Ledger {
    return new Ledger(database, bootId, options)
  }

  /** Writes the last counts, and retries failed writes once. */
  async close(): Promise<void> {
    await Promise.all([this.#refusals.flush(), this.#retries.close()])
  }

  /** Refused requests since the start that were counted but got no receipt. */
  get receiptsLeftOut(): number {
    return this.#refusals.added
  }

  /**
   * Reserves an entry; with a claim, only if no other request holds its key.
   * @throws ServiceError ledger_unavailable (if the entry was written and is not settled first, it is deleted later),
   *   idempotency_in_progress, idempotency_mismatch
   */
  async reserve(entry: LedgerEntry, claim?: Claim): Promise<void> {
    const { requestId } = entry
    const insert = this.#replica === undefined ? insertReserved : insertReservedByReplica
    const values = this.#toReserved(entry, receiptParametersBytesMax)
    const reserved = insert(values)
    let changed: number
    this.#open.set(requestId, performance.now())
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
      if (mayTakeEffect(error)) this.#withdraw(values)
      else this.#open.delete(requestId)
      throw error
    }
    if (changed > 0 || claim === undefined) return
    this.#open.delete(requestId)
    // Another request holds the key. If that one has just ended, a retry gets its reply.
    await this.findReply(claim)
    throw keyInProgress()
  }

  /**
   * Returns the reply that is stored under the claim's key, or undefined if the key is free.
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
   * @param claimed set for an entry with a claim. Its reply is stored; without a reply, the claim is released
   * @throws ServiceError ledger_unavailable; the settlement is then retried in the background until it is on disk
   */
  async settle(
    entry: Settled,
    settlement: Settlement,
    claimed?: { reply: string | undefined },
  ): Promise<void> {
    const { requestId } = entry
    let changed: number
    try {
      changed = await this.#writeOrRetry(requestId, {
        guard: this.#toFinal(requestId, settlement),
        steps: claimed === undefined ? [] : this.#toKept(requestId, claimed.reply),
        additions: toAdditions(entry, settlement),
      })
    } finally {
      this.#open.delete(requestId)
    }
    if (changed > 0) return
    const row = await this.find(requestId)
    assert(row?.state === 'final', `${requestId} was never reserved`)
    if (row.outcome === 'server_crash') throw unavailable(`${requestId} was closed by others`)
  }

  /**
   * Counts a request that ended before it was reserved. It gets a receipt unless too many were refused within the last
   * minute or the receipt cannot be written.
   */
  refuse(entry: LedgerEntry, settlement: Settlement): void {
    const refusal = { ...toCounted(entry, settlement), code: settlement.error?.code }
    if (!this.#sample.admits(entry.accountId)) return this.#refusals.add(refusal)
    const receipt = {
      guard: insertReserved(this.#toReserved(entry, refusalParametersBytesMax)),
      steps: [this.#toFinal(entry.requestId, settlement)],
      additions: toAdditions(entry, settlement),
    }
    this.#database.writeGuarded(receipt).catch((error: unknown) => {
      // A receipt that may still be written counts the refusal itself.
      if (!mayTakeEffect(error)) this.#refusals.add(refusal)
    })
  }

  /** Records the tokens so far, which a crash would otherwise lose. Failures are ignored. */
  checkpoint(requestId: string, completionTokens: number): void {
    const values = { requestId, completionTokens, nowMs: this.#now() }
    this.#database.writeSoon([keepCheckpoint(values)], 'essential')
  }

  /**
   * Settles open entries that no request of this process holds, at their last checkpoint: earlier runs left them open,
   * or their settlement was given up. Releases their idempotency keys. Returns the number of entries.
   */
  async closeOrphans(): Promise<number> {
    const replicaId = this.#replica?.id
    const reserved =
      replicaId === undefined
        ? (await this.#database.read(findReserved())).map((row) => row.request_id)
        : await readOpenEntries(this.#database, replicaId)
    const orphans = reserved.filter((id) => !this.holds(id))
    if (orphans.length === 0) return 0
    const closing = { nowMs: this.#now(), isShared: replicaId !== undefined }
    await this.#database.write(closeEntries(orphans, closing), 'essential')
    return orphans.length
  }

  async find(requestId: string): Promise<UsageRow | undefined> {
    const [row] = await this.#database.read(findEntry(requestId))
    return row
  }

  /** Deletes the entry of a request whose reservation failed, if it was written after all. */
  #withdraw(entry: Reserved): void {
    const { requestId } = entry
    // The caller already has its error, so a failure is only retried in the background. Until then `holds` stays true:
    // otherwise the orphan sweep would settle the entry and charge for a refused request.
    this.#writeOrRetry(requestId, withdrawal(entry), true)
      .catch(() => {})
      .finally(() => this.#open.delete(requestId))
  }

  /** @throws ServiceError ledger_unavailable; the unit is then retried in the background until it is on disk */
  async #writeOrRetry(requestId: string, unit: Guarded, isWithdrawal = false): Promise<number> {
    try {
      return await this.#database.writeGuarded(unit, 'essential')
    } catch (error) {
      if (error instanceof ServiceError) this.#retries.add(requestId, unit, isWithdrawal)
      throw error
    }
  }

  /** Returns true while a request may be running or its settlement is being retried. */
  holds(requestId: string): boolean {
    const sinceMs = this.#open.get(requestId)
    const isRunning = sinceMs !== undefined && performance.now() - sinceMs < entryOpenMaxMs
    return isRunning || this.#retries.has(requestId)
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
      // The oldest kept reply may lie only partly within `bytesMax`, so the largest possible reply is subtracted from
      // the limit.
      dropOldestReplies({
        bytesMax: idempotencyBytesMax - idempotencyReplyBytesMax - idempotencyRowBytes,
      }),
    ]
  }

  #expiredMs(): number {
    return this.#expiryNow() - idempotencyMs
  }

  #toReserved(entry: LedgerEntry, parametersBytesMax: number) {
    const { requestId, accountId, keyId, model, route, createdMs, promptTokens, maxTokens } = entry
    return {
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
      bootId: this.#replica?.id ?? this.#bootId,
      seed: entry.seed,
      fingerprint: entry.fingerprint,
      parameters: boundedJson(entry.parameters, parametersBytesMax),
      ignored: boundedNames(entry.ignored, parametersBytesMax),
    }
  }

  #toFinal(requestId: string, settlement: Settlement): Statement {
    const { outcome, error, promptTokens, cachedTokens, completionTokens } = settlement
    const { reasoningTokens } = settlement
    for (const tokens of [promptTokens, cachedTokens, completionTokens, reasoningTokens ?? 0])
      assert(Number.isSafeInteger(tokens) && tokens >= 0, 'token counts are whole numbers')
    return finalize({
      requestId,
      outcome,
      finishReason: finishReasonOf(outcome),
      promptTokens,
      cachedTokens,
      completionTokens,
      reasoningTokens: reasoningTokens ?? null,
      queueMs: settlement.queueMs ?? null,
      prefillMs: settlement.prefillMs ?? null,
      decodeMs: settlement.decodeMs ?? null,
      errorCode: error?.code ?? null,
      errorParam: error?.param?.slice(0, receiptErrorParamCharsMax) ?? null,
      errorMessage: error?.message?.slice(0, receiptErrorMessageCharsMax) ?? null,
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

function toAdditions(entry: Settled, settlement: Settlement): Addition[] {
  const counted = toCounted(entry, settlement)
  const code = settlement.error?.code
  const refused = settlement.outcome === 'refused' ? 1 : 0
  return [
    addToSums(counted),
    ...(code === undefined ? [] : [addToErrors({ ...counted, code, receipts: 1, refused })]),
    ...addToTimes(entry, settlement),
  ]
}

function toCounted({ accountId, keyId, createdMs }: Settled, settlement: Settlement): Counted {
  const { outcome, queueMs = 0, prefillMs = 0, decodeMs = 0 } = settlement
  const { promptTokens, cachedTokens, completionTokens } = settlement
  return {
    accountId,
    keyId,
    createdMs,
    requests: 1,
    errors: isError(outcome) ? 1 : 0,
    promptTokens,
    cachedTokens,
    completionTokens,
    latencyMs: isCompleted(outcome) ? queueMs + prefillMs + decodeMs : undefined,
  }
}
