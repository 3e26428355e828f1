import { hash } from 'node:crypto'
import type { SampledLogprob } from '../engine/engine.ts'
import { idempotencyReplyBytesMax } from '../limits.ts'
import { type Claim, keyInProgress, keyMismatch, type Ledger } from '../usage/ledger.ts'
import type { CompletionEvent, CompletionUsage } from './run-completion.ts'

/** The members of a completion that are the same in all its chunks. */
export type CompletionHead = {
  id: string
  created: number
  model: string
  system_fingerprint: string
}

/** What a completion needs that runs at most once for its key. */
export type Once = { claim: Claim; head: CompletionHead }

/** A finished reply, to be told again. */
export type KeptReply = { head: CompletionHead; events: CompletionEvent[] }

/**
 * Requests with an `Idempotency-Key`. That one of them runs is decided by the ledger, where the key
 * is claimed together with the entry; here equal ones are told at once, before they wait for a slot.
 */
export class Idempotency {
  readonly #ledger: Ledger
  readonly #running = new Map<string, string>()

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  /** @throws ServiceError idempotency_in_progress, idempotency_mismatch, ledger_unavailable */
  async findReply(claim: Claim): Promise<KeptReply | undefined> {
    const reply = await this.#ledger.findReply(claim)
    return reply === undefined ? undefined : (JSON.parse(reply) as KeptReply)
  }

  /**
   * Events of the one that runs for the claim's key.
   * @throws ServiceError idempotency_in_progress, idempotency_mismatch
   */
  async *hold<Event>(claim: Claim, events: AsyncIterable<Event>): AsyncGenerator<Event, void> {
    const name = `${claim.accountId} ${claim.route} ${claim.keyDigest}`
    const fingerprint = this.#running.get(name)
    if (fingerprint !== undefined)
      throw fingerprint === claim.fingerprint ? keyInProgress() : keyMismatch()
    this.#running.set(name, claim.fingerprint)
    try {
      yield* events
    } finally {
      this.#running.delete(name)
    }
  }
}

/** Key and body only as digests: what a caller puts into them is nobody's business. */
export function newClaim(accountId: string, route: string, key: string, body: unknown): Claim {
  return {
    accountId,
    route,
    keyDigest: hash('sha256', key, 'hex'),
    fingerprint: hash('sha256', canonicalJson(body), 'hex'),
  }
}

/** Collects what is told, all deltas of a choice as one. */
export class ReplyRecorder {
  readonly #head: CompletionHead
  readonly #events: CompletionEvent[] = []
  readonly #deltas = new Map<number, Delta & { logprobs: SampledLogprob[] }>()
  #chars = 0

  constructor(head: CompletionHead) {
    this.#head = head
  }

  add(event: Exclude<CompletionEvent, { type: 'usage' }>): void {
    this.#chars += JSON.stringify(event).length
    if (this.#chars > recordedCharsMax) return
    if (event.type !== 'delta') {
      this.#events.push(event)
      return
    }
    const delta = this.#deltas.get(event.index) ?? this.#newDelta(event.index)
    delta.text += event.text
    delta.logprobs.push(...(event.logprobs ?? []))
  }

  /** Undefined if it is too long to be kept. */
  toReply(usage: CompletionUsage): string | undefined {
    if (this.#chars > recordedCharsMax) return undefined
    const events: CompletionEvent[] = [...this.#events, { type: 'usage', usage }]
    const reply = JSON.stringify({ head: this.#head, events } satisfies KeptReply)
    return Buffer.byteLength(reply) > idempotencyReplyBytesMax ? undefined : reply
  }

  #newDelta(index: number) {
    const delta = { type: 'delta' as const, index, text: '', logprobs: [] }
    this.#deltas.set(index, delta)
    this.#events.push(delta)
    return delta
  }
}

type Delta = Extract<CompletionEvent, { type: 'delta' }>

/** Of single deltas, whose frames are not kept. */
const recordedCharsMax = 4 * idempotencyReplyBytesMax

/** The same for the same members in any order. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}
