import type { Claim } from '../usage/ledger.ts'
import type { CompletionServices } from './completion-services.ts'
import type { CompletionEvent, CompletionHead, CompletionSpec } from './completion.ts'
import { newClaim } from './once/idempotency.ts'
import { type AdmittedRequest, runCompletion } from './run-completion.ts'

/** An `Idempotency-Key` and the body of its request. */
type OnceKey = { readonly key: string; readonly body: object }

/** A request with a key. Its completion gets `head`, unless the reply of an earlier request is replayed. */
type OnceRequest = { readonly spec: CompletionSpec; readonly head: CompletionHead }

/** A running completion, or the kept reply of an earlier request. */
export type Run = {
  head: CompletionHead
  events: AsyncIterableIterator<CompletionEvent, void, void>
  isReplay: boolean
}

/**
 * Runs a completion. If an earlier request with the same key has a kept reply, returns that reply and leaves the place.
 * Not async, so that the body can be freed once it has been hashed.
 * @throws ServiceError idempotency_in_progress, idempotency_mismatch, ledger_unavailable
 */
export function runOnce(
  services: CompletionServices,
  admitted: AdmittedRequest,
  request: OnceRequest,
  { key, body }: OnceKey,
): Promise<Run> {
  // All paths of chat completions share one namespace of keys.
  const claim = newClaim(admitted.caller.accountId, 'chat.completions', key, body)
  return runClaimed(services, admitted, request, claim)
}

async function runClaimed(
  services: CompletionServices,
  admitted: AdmittedRequest,
  { spec, head }: OnceRequest,
  claim: Claim,
): Promise<Run> {
  const { idempotency } = services
  const kept = await idempotency.findReply(claim)
  if (kept !== undefined) {
    admitted.place.leave()
    return { head: kept.head, events: replay(kept.events), isReplay: true }
  }
  const events = runCompletion(services, admitted, { ...spec, once: { claim, head } })
  return { head, events: idempotency.hold(claim, events), isReplay: false }
}

async function* replay(events: readonly CompletionEvent[]) {
  yield* events
}
