import { hash } from 'node:crypto'
import type { SampledLogprob } from '../../engine/engine.ts'
import { isToolFormName } from '../../engine/tool-forms/detect-tool-form.ts'
import { stringifyInOrder } from '../../json-order.ts'
import { idempotencyReplyBytesMax } from '../../limits.ts'
import { type Claim, keyInProgress, keyMismatch, type Ledger } from '../../usage/ledger.ts'
import type { CompletionEvent, CompletionHead, CompletionUsage } from '../completion.ts'

/** A finished reply, stored for retries under the same idempotency key. */
type KeptResponse = { head: CompletionHead; events: CompletionEvent[] }

/** JSON form of a `KeptResponse` in the ledger. Earlier versions of the service read it too. */
type StoredReply = {
  head: Omit<CompletionHead, 'fingerprint' | 'toolForm'> & {
    system_fingerprint: string
    tool_form?: string | undefined
  }
  events: CompletionEvent[]
}

/**
 * Runs requests with an `Idempotency-Key` at most once. The ledger decides which request runs, because it writes the
 * claim on the key together with the entry. This class refuses concurrent retries before they wait for a slot.
 */
export class Idempotency {
  readonly #ledger: Ledger
  readonly #running = new Map<string, string>()

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  /**
   * Returns the stored response of an earlier request with this key, or undefined if there is none.
   * @throws ServiceError idempotency_in_progress, idempotency_mismatch, ledger_unavailable
   */
  async findReply(claim: Claim): Promise<KeptResponse | undefined> {
    const reply = await this.#ledger.findReply(claim)
    if (reply === undefined) return undefined
    // The cast is safe, because only `ReplyRecorder` writes the replies that the ledger keeps.
    const { head, events } = JSON.parse(reply) as StoredReply
    const { system_fingerprint: fingerprint, tool_form: form, ...rest } = head
    // A later version of the service may know more forms.
    const toolForm = isToolFormName(form) ? form : undefined
    return { head: { ...rest, fingerprint, toolForm }, events }
  }

  /**
   * Refuses other requests with the same key until the events end. The caller must read the returned events.
   * @throws ServiceError idempotency_in_progress, idempotency_mismatch
   */
  hold<Event>(claim: Claim, events: AsyncIterable<Event>): AsyncGenerator<Event, void> {
    const name = `${claim.accountId} ${claim.route} ${claim.keyDigest}`
    const fingerprint = this.#running.get(name)
    if (fingerprint !== undefined)
      throw fingerprint === claim.fingerprint ? keyInProgress() : keyMismatch()
    this.#running.set(name, claim.fingerprint)
    return this.#forward(name, events)
  }

  async *#forward<Event>(name: string, events: AsyncIterable<Event>): AsyncGenerator<Event, void> {
    try {
      yield* events
    } finally {
      this.#running.delete(name)
    }
  }
}

/** Fingerprints of parsed bodies that were computed before their requests are handled. */
const fingerprints = new WeakMap<object, string>()

/** Computes the fingerprint of a large body ahead of `newClaim`, because it takes tens of milliseconds. */
export function rememberFingerprint(body: object): void {
  fingerprints.set(body, fingerprintOf(body))
}

/** Creates a claim with hashes of the key and the body, because both may hold private data of the caller. */
export function newClaim(accountId: string, route: string, key: string, body: object): Claim {
  return {
    accountId,
    route,
    keyDigest: hash('sha256', key, 'hex'),
    fingerprint: fingerprints.get(body) ?? fingerprintOf(body),
  }
}

function fingerprintOf(body: object): string {
  return hash('sha256', canonicalJson(body), 'hex')
}

/** Records the events of a reply and joins all deltas of a choice. */
export class ReplyRecorder {
  readonly #head: CompletionHead
  readonly #events: CompletionEvent[] = []
  readonly #deltas = new Map<number, Delta & { logprobs: SampledLogprob[] }>()
  #chars = 0

  constructor(head: CompletionHead) {
    this.#head = head
  }

  add(event: Exclude<CompletionEvent, { type: 'usage' }>): void {
    this.#chars += addedCharsOf(event)
    if (this.#chars > idempotencyReplyBytesMax) return
    if (event.type !== 'delta') {
      this.#events.push(event)
      return
    }
    const delta = this.#deltas.get(event.index) ?? this.#newDelta(event.index)
    delta.text += event.text
    if (event.reasoning !== undefined) delta.reasoning = (delta.reasoning ?? '') + event.reasoning
    delta.logprobs.push(...(event.logprobs ?? []))
  }

  /** Returns undefined if the reply is too long to keep. */
  toReply(usage: CompletionUsage): string | undefined {
    if (this.#chars > idempotencyReplyBytesMax) return undefined
    const events: CompletionEvent[] = [...this.#events, { type: 'usage', usage }]
    const { fingerprint, toolForm, ...rest } = this.#head
    const head = { ...rest, system_fingerprint: fingerprint, tool_form: toolForm }
    const reply = JSON.stringify({ head, events } satisfies StoredReply)
    return Buffer.byteLength(reply) > idempotencyReplyBytesMax ? undefined : reply
  }

  #newDelta(index: number) {
    const delta: Delta & { logprobs: SampledLogprob[] } = {
      type: 'delta',
      index,
      text: '',
      logprobs: [],
    }
    this.#deltas.set(index, delta)
    this.#events.push(delta)
    return delta
  }
}

type Delta = Extract<CompletionEvent, { type: 'delta' }>

/** Returns the number of characters that an event adds to the JSON text of the joined events, or one less. */
function addedCharsOf(event: Exclude<CompletionEvent, { type: 'usage' }>): number {
  if (event.type !== 'delta') return JSON.stringify(event).length
  const { text, reasoning = '', logprobs = [] } = event
  return charsOf(text) + charsOf(reasoning) + (logprobs.length > 0 ? charsOf(logprobs) - 1 : 0)
}

/** Returns the length of the JSON text without its quotes or brackets. */
function charsOf(value: unknown): number {
  return JSON.stringify(value).length - 2
}

/**
 * Sorts the fields of a body, so that their order does not matter. Keeps the order inside of each value, because a reply
 * has its properties in the order of the schema.
 */
function canonicalJson(body: object): string {
  const fields = Object.entries(body).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return fields.map(([name, value]) => `${JSON.stringify(name)}:${stringifyInOrder(value)}`).join()
}
