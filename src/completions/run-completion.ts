import type { Caller } from '../accounts/caller.ts'
import type { GenerationOptions, GenerationRequest, Prompt } from '../engine/engine.ts'
import { contextLengthExceeded, ServiceError } from '../errors.ts'
import { logprobBytes, logprobBytesOfKeyMax, queueWaitMaxMs } from '../limits.ts'
import type { LedgerEntry } from '../usage/ledger.ts'
import type { Hold } from '../usage/limits/rate-limiter.ts'
import type { Expectations, Place } from './admission/place.ts'
import { CompletionReply } from './choices/completion-reply.ts'
import type { CompletionServices } from './completion-services.ts'
import { CompletionSettlement } from './completion-settlement.ts'
import { CompletionWatch } from './completion-watch.ts'
import type { CompletionEvent, CompletionSpec } from './completion.ts'
import { generateChoices } from './choices/generate-choices.ts'
import { Interruption } from './interruption.ts'
import { endingOfFailure, endingOfRefusal } from './ending.ts'
import type { RequestTrace } from '../telemetry/tracing/tracer.ts'
import { preparePrompt } from './prepare-prompt.ts'
import { ChatSpan } from './tracing/chat-span.ts'
import { UnreadEvents } from './unread-events.ts'

/** A request that counts towards the admission limit (its place). Aborting `control` ends its completion early. */
export type AdmittedRequest = {
  readonly caller: Caller
  readonly place: Place
  readonly control: AbortController
  /** Absent for a caller without end users and deadlines. */
  readonly expectations?: Expectations
  readonly trace?: RequestTrace | undefined
}

/**
 * Runs one completion: prepares the prompt, takes slots, reserves the ledger entry, generates, and settles the entry.
 * The completion does not wait for its reader. When the engine has finished, the completion is settled and leaves its
 * place, while unread events stay buffered. A reader that falls too far behind or stops aborts the completion.
 */
export function runCompletion(
  services: CompletionServices,
  admitted: AdmittedRequest,
  spec: CompletionSpec,
): AsyncIterableIterator<CompletionEvent, void, void> {
  const { place, control } = admitted
  const source = {
    isWhole: !spec.stream,
    produce: (put: (event: CompletionEvent) => boolean) =>
      generate(services, admitted, spec, (event) => {
        if (!put(event)) control.abort(new Interruption('slow_reader'))
      }),
    abort: () => control.abort(new Interruption('client_abort')),
  }
  return new UnreadEvents(source, services.admission.unreadBytes, place.holder)
}

/** Generates a completion. However it ends, `CompletionSettlement` settles its entry once. */
async function generate(
  services: CompletionServices,
  admitted: AdmittedRequest,
  spec: CompletionSpec,
  put: (event: CompletionEvent) => void,
): Promise<void> {
  const { caller, place, control } = admitted
  const { signal } = control
  const arrivedMs = services.now()
  const entry = newEntry(services, caller, spec, arrivedMs)
  const span = ChatSpan.start(admitted.trace, spec)
  try {
    const entered = enter(services, admitted, entry)
    // Awaited only if part of a limit must be leased first, because an await costs a microtask turn.
    const hold = entered instanceof Promise ? await entered : entered
    const settlement = new CompletionSettlement(services, entry, hold, { once: spec.once, span })
    const watch = new CompletionWatch(caller, services.stopping, control)
    try {
      const prompt = await takeSlots(services, admitted, spec, hold)
      await settlement.reserve(prompt.tokens.length)
      const request: GenerationRequest = {
        ...spec.generation,
        prompt,
        cacheScope: caller.accountId,
        requestId: spec.requestId,
        trace: span ?? admitted.trace,
      }
      const reply = new CompletionReply(spec, settlement)
      const width = { choices: spec.choices, slots: () => place.slots }
      const events = generateChoices(services.engine, request, width, signal)
      for await (const event of events) {
        watch.noteFirstToken()
        if (event.type === 'delta') place.noteTokens(event.tokens)
        if (settlement.mustAwaitReservation) await settlement.reserved
        const visible = reply.read(event)
        if (visible?.type === 'finish') span?.noteFinish(visible.index, visible.reason)
        if (event.type === 'finish') place.keepSlots(reply.openChoices)
        if (reply.outcome !== undefined) await settlement.complete(reply.outcome, reply.toKept())
        if (visible !== undefined) put(visible)
      }
      if (reply.isAborted) throw signal.reason
      put({ type: 'usage', usage: settlement.usage })
    } catch (error) {
      await settlement.fail(error)
      throw error
    } finally {
      watch.stop()
      await settlement.close()
    }
  } catch (error) {
    // The settlement has ended the span already, unless the request was refused before it had a settlement.
    span?.end(endingOfFailure(error))
    throw error
  } finally {
    place.leave()
  }
}

/**
 * Starts the place and counts the request against the caller's limits. Records a refusal in the ledger.
 * @throws ServiceError rate_limit_exceeded, insufficient_quota; the reason of an aborted request
 */
function enter(
  services: CompletionServices,
  { caller, place, control }: AdmittedRequest,
  entry: LedgerEntry,
): Hold | Promise<Hold> {
  const refuse = (error: unknown): never => {
    const usage = { promptTokens: 0, cachedTokens: 0, completionTokens: 0 }
    const ending = endingOfRefusal(error)
    services.metrics.completions.inc({ outcome: ending.outcome })
    services.ledger.refuse(entry, { ...ending, ...usage })
    throw error
  }
  try {
    control.signal.throwIfAborted()
    place.start()
    const hold = services.rateLimits.enter(caller, entry.createdMs, entry.requestId)
    return hold instanceof Promise ? hold.catch(refuse) : hold
  } catch (error) {
    return refuse(error)
  }
}

function newEntry(
  { engine }: CompletionServices,
  { accountId, keyId }: Caller,
  spec: CompletionSpec,
  createdMs: number,
): LedgerEntry {
  return {
    requestId: spec.requestId,
    accountId,
    keyId,
    model: spec.model,
    route: spec.route,
    stream: spec.stream,
    promptTokens: 0,
    maxTokens: spec.generation.maxTokens * spec.choices,
    createdMs,
    seed: spec.generation.sampling.seed,
    fingerprint: engine.info.fingerprint,
    parameters: spec.keptParameters,
    ignored: spec.ignoredParameters,
  }
}

/** Prepares the prompt, reserves the request's tokens in the caller's limits, and waits for the slots. */
async function takeSlots(
  { engine }: CompletionServices,
  { place, control, expectations = {} }: AdmittedRequest,
  { stream, messages, generation, choices }: CompletionSpec,
  hold: Hold,
): Promise<Prompt> {
  engine.requireSupported?.(generation)
  place.expect(expectations)
  const waitMaxMs = Math.min(queueWaitMaxMs, place.leftMs)
  const wanted = { ...generation, mustFit: true, caller: place.holder }
  const prompt = await preparePrompt(engine, messages, wanted, control, waitMaxMs)
  // Read once: upstreams may report another context while part of a limit is leased.
  const { contextTokens } = engine.info
  const promptTokens = prompt.tokens.length
  if (promptTokens >= contextTokens)
    throw contextLengthExceeded(String(promptTokens), contextTokens)
  const tokensLeft = prompt.isBound === true ? Infinity : contextTokens - promptTokens
  const outputTokensMax = choices * Math.min(generation.maxTokens, tokensLeft)
  const replyBytes = stream ? 0 : logprobBytesOf(outputTokensMax, generation)
  const leasing = hold.reserve(promptTokens + outputTokensMax)
  if (leasing !== undefined) await leasing
  await place.takeSlots(choices, { promptTokens, outputTokensMax }, control.signal)
  place.takeLogprobBytes(replyBytes)
  return prompt
}

/**
 * Returns the memory that the logprobs of a whole reply take at most.
 * @throws ServiceError invalid_value if one key may not have so much
 */
export function logprobBytesOf(
  outputTokensMax: number,
  { topLogprobs }: Pick<GenerationOptions, 'topLogprobs'>,
): number {
  if (topLogprobs === undefined) return 0
  const bytes = outputTokensMax * (1 + topLogprobs) * logprobBytes
  if (bytes > logprobBytesOfKeyMax)
    throw new ServiceError(
      'invalid_value',
      `Up to ${outputTokensMax} tokens with ${topLogprobs} \`top_logprobs\` each are too many for one response. ` +
        'Stream the reply, or lower `top_logprobs`, `max_tokens` or `n`.',
      { param: 'top_logprobs' },
    )
  return bytes
}
