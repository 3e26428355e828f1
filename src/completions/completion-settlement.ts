import { strict as assert } from 'node:assert'
import { ServiceError } from '../errors.ts'
import { checkpointIntervalMs, checkpointTokens } from '../limits.ts'
import type { LedgerEntry } from '../usage/ledger.ts'
import type { Hold } from '../usage/limits/rate-limiter.ts'
import type { CompletionServices } from './completion-services.ts'
import type { CompletionUsage, Once } from './completion.ts'
import { type Ending, endingOfFailure, endingOfRefusal } from './ending.ts'
import type { ChatSpan } from './tracing/chat-span.ts'

/**
 * `unreserved`: the entry could not be written, or another request has the idempotency key. There is nothing to settle.
 */
type State = 'arrived' | 'reserving' | 'reserved' | 'unreserved' | 'settled'

/** The engine's final counts of a choice. `isUnbegun`: the choice was aborted before the engine began it. */
type ChoiceEnd = {
  readonly completionTokens: number
  readonly cachedTokens: number
  readonly isUnbegun?: boolean | undefined
}

type SettlementServices = Pick<CompletionServices, 'ledger' | 'metrics' | 'logger'>

/**
 * Owns the ledger entry of one completion and its hold on the caller's limits. The entry is reserved before the caller
 * sees any of the reply, checkpointed while the reply grows, and settled exactly once, however the completion ends.
 */
export class CompletionSettlement {
  readonly usage: CompletionUsage = { promptTokens: 0, cachedTokens: 0, completionTokens: 0 }
  readonly #services: SettlementServices
  readonly #hold: Hold
  readonly #once: Once | undefined
  readonly #span: ChatSpan | undefined
  #entry: LedgerEntry
  #state: State = 'arrived'
  #written = Promise.resolve()
  /** Completion tokens of each choice. */
  readonly #choiceTokens: number[] = []
  /** True while all choices that have ended were aborted before they began. */
  #isUnbegun: boolean | undefined
  /** Times of the monotonic clock, because the wall clock, which the entry uses, may jump. */
  readonly #arrivedMs = performance.now()
  #startedMs: number | undefined
  #firstTokenMs: number | undefined
  #checkpointMs = 0
  #checkpointTokens = 0

  constructor(
    services: SettlementServices,
    entry: LedgerEntry,
    hold: Hold,
    { once, span }: { once?: Once | undefined; span?: ChatSpan | undefined } = {},
  ) {
    this.#services = services
    this.#entry = entry
    this.#hold = hold
    this.#once = once
    this.#span = span
  }

  /**
   * Starts to write the entry. Without an idempotency key, the generation can begin meanwhile (docs/decisions/0008).
   * With a key, waits for the write, because the ledger decides which of several requests runs.
   * @throws ServiceError ledger_unavailable, idempotency_in_progress, idempotency_mismatch
   */
  async reserve(promptTokens: number): Promise<void> {
    assert(this.#state === 'arrived', 'a completion is reserved once')
    this.usage.promptTokens = promptTokens
    this.#entry = { ...this.#entry, promptTokens }
    this.#state = 'reserving'
    this.#written = this.#services.ledger.reserve(this.#entry, this.#once?.claim)
    this.#written.then(
      () => this.#noteReserved('reserved'),
      () => this.#noteReserved('unreserved'),
    )
    if (this.#once !== undefined) await this.#written
    this.#startedMs = performance.now()
    this.#checkpointMs = this.#startedMs
  }

  /** True if `reserved` must be awaited before the caller may see the next event. */
  get mustAwaitReservation(): boolean {
    if (this.#state === 'reserving') return this.#entry.stream
    return this.#state === 'unreserved'
  }

  /** Resolves when the entry is on disk, and rejects if it cannot be written. */
  get reserved(): Promise<void> {
    return this.#written
  }

  /** Counts sampled tokens, and writes a checkpoint at intervals. */
  addTokens(choice: number, tokens: number, reasoningTokens?: number): void {
    const nowMs = performance.now()
    if (this.#firstTokenMs === undefined) {
      this.#firstTokenMs = nowMs
      const { metrics } = this.#services
      metrics.firstTokenSeconds.observe((nowMs - this.#arrivedMs) / 1000)
    }
    this.#choiceTokens[choice] = (this.#choiceTokens[choice] ?? 0) + tokens
    this.usage.completionTokens += tokens
    if (reasoningTokens !== undefined)
      this.usage.reasoningTokens = (this.usage.reasoningTokens ?? 0) + reasoningTokens
    const isDue =
      this.usage.completionTokens - this.#checkpointTokens >= checkpointTokens ||
      nowMs - this.#checkpointMs >= checkpointIntervalMs
    if (isDue) this.#checkpoint(nowMs)
  }

  /** Replaces the tokens counted for a choice with the engine's final count. */
  endChoice(
    choice: number,
    { completionTokens, cachedTokens, isUnbegun = false }: ChoiceEnd,
  ): void {
    this.#isUnbegun = isUnbegun && this.#isUnbegun !== false
    this.usage.completionTokens += completionTokens - (this.#choiceTokens[choice] ?? 0)
    // Later choices find the first one's prompt in the cache, so only the first choice counts.
    if (choice === 0) this.usage.cachedTokens = cachedTokens
  }

  /**
   * Settles a completion whose choices have all ended. Resolves once the usage is on disk.
   * @param reply kept for retries under the same idempotency key
   * @throws ServiceError ledger_unavailable
   */
  async complete(outcome: 'completed' | 'length', reply: string | undefined): Promise<void> {
    await this.#settle({ outcome }, reply)
  }

  /** Settles a completion that failed, or records why it was refused. Never throws. */
  async fail(error: unknown): Promise<void> {
    switch (this.#state) {
      case 'arrived':
        this.#refuse(endingOfRefusal(error))
        break
      case 'reserving':
      case 'reserved': {
        const ending = endingOfFailure(error)
        const costsNothing = error instanceof ServiceError && error.costsNothing
        // Nothing was computed for a request that the engine refuses or did not begin, unless another of its choices
        // has begun.
        if (this.usage.completionTokens === 0) {
          if (ending.outcome === 'refused' || costsNothing || this.#isUnbegun === true)
            this.#forgetPrompt()
        } else if (ending.outcome === 'refused') ending.outcome = 'engine_crash'
        await this.#settleOrLog(ending)
        break
      }
      case 'unreserved':
        // If the key is not taken, the ledger is unavailable, and the refusal cannot be recorded.
        if (!isKeyTaken(error)) break
        // Nothing was computed: the prompt belongs to the request that has the key.
        this.#forgetPrompt()
        this.#refuse(endingOfRefusal(error))
        break
      case 'settled':
    }
  }

  #forgetPrompt(): void {
    this.usage.promptTokens = 0
    this.usage.cachedTokens = 0
  }

  /** Settles a completion whose reader has stopped, and releases unused limits. Never throws. */
  async close(): Promise<void> {
    if (this.#state === 'reserving' || this.#state === 'reserved')
      await this.#settleOrLog({ outcome: 'client_abort' })
    this.#hold.end(0)
  }

  #noteReserved(state: 'reserved' | 'unreserved'): void {
    if (this.#state === 'reserving') this.#state = state
  }

  #checkpoint(nowMs: number): void {
    this.#checkpointMs = nowMs
    this.#checkpointTokens = this.usage.completionTokens
    this.#services.ledger.checkpoint(this.#entry.requestId, this.#checkpointTokens)
  }

  #refuse(ending: Ending): void {
    this.#state = 'settled'
    const queueMs = elapsed(this.#arrivedMs, performance.now())
    this.#services.metrics.completions.inc({ outcome: ending.outcome })
    this.#services.ledger.refuse(this.#entry, { ...ending, ...this.usage, queueMs })
    this.#span?.end(ending, this.usage)
  }

  /** Only logs a failure to settle, because the caller gets the error of the completion itself. */
  async #settleOrLog(ending: Ending): Promise<void> {
    try {
      await this.#settle(ending, undefined)
    } catch (error) {
      const { requestId } = this.#entry
      this.#services.logger.error('a ledger entry could not be settled yet', { requestId, error })
    }
  }

  async #settle(ending: Ending, reply: string | undefined): Promise<void> {
    assert(this.#state === 'reserving' || this.#state === 'reserved', 'settled twice')
    this.#state = 'settled'
    const nowMs = performance.now()
    const { promptTokens, completionTokens } = this.usage
    this.#hold.end(promptTokens + completionTokens)
    const settlement = { ...ending, ...this.usage, ...this.#times(nowMs) }
    // Does not wait for the reservation first, so a reply that is faster than the disk costs one commit instead of two.
    const settled = this.#services.ledger.settle(this.#entry, settlement, this.#once && { reply })
    settled.catch(() => {})
    try {
      await this.#written
    } catch (error) {
      // The write may have timed out and then taken effect. In that case the settlement, which was queued before the
      // withdrawal of the entry, has taken effect as well and counts.
      await settled.catch(() => Promise.reject(error))
    }
    // The ledger retries a failed settlement, so the completion is reported as soon as its entry is reserved.
    this.#report(ending, nowMs)
    await settled
  }

  #times(nowMs: number): { queueMs: number; prefillMs: number; decodeMs: number | undefined } {
    const firstTokenMs = this.#firstTokenMs
    const startedMs = this.#startedMs ?? 0
    return {
      queueMs: elapsed(this.#arrivedMs, startedMs),
      prefillMs: elapsed(startedMs, firstTokenMs ?? nowMs),
      decodeMs: firstTokenMs === undefined ? undefined : elapsed(firstTokenMs, nowMs),
    }
  }

  #report(ending: Ending, nowMs: number): void {
    const { outcome } = ending
    const [startedMs, firstTokenMs] = [this.#startedMs, this.#firstTokenMs]
    this.#span?.end(ending, this.usage, { startedMs, firstTokenMs })
    const { metrics, logger } = this.#services
    const { promptTokens, cachedTokens, completionTokens } = this.usage
    metrics.completions.inc({ outcome })
    metrics.tokens.inc({ kind: 'prompt' }, promptTokens)
    metrics.tokens.inc({ kind: 'cached' }, cachedTokens)
    metrics.tokens.inc({ kind: 'completion' }, completionTokens)
    const { requestId, accountId, keyId, stream } = this.#entry
    logger.info('completion', {
      requestId,
      accountId,
      keyId,
      stream,
      outcome,
      promptTokens,
      completionTokens,
      durationMs: elapsed(this.#arrivedMs, nowMs),
    })
  }
}

/** Returns true if another request has the idempotency key. */
function isKeyTaken(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false
  return error.code === 'idempotency_in_progress' || error.code === 'idempotency_mismatch'
}

function elapsed(fromMs: number, toMs: number): number {
  return Math.round(toMs - fromMs)
}
