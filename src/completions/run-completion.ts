import type { Caller } from '../accounts/caller.ts'
import type { EngineInfo, GenerationRequest, Prompt } from '../engine/engine.ts'
import { ServiceError } from '../errors.ts'
import type { LedgerEntry } from '../usage/ledger.ts'
import type { Hold } from '../usage/limits/rate-limits.ts'
import type { Place } from './admission/admission.ts'
import { CompletionReply } from './choices/completion-reply.ts'
import type { CompletionServices } from './completion-services.ts'
import { CompletionSettlement } from './completion-settlement.ts'
import { CompletionWatch } from './completion-watch.ts'
import type { CompletionEvent, CompletionSpec } from './completion.ts'
import { generateChoices } from './choices/generate-choices.ts'
import { preparePrompt } from './prepare-prompt.ts'

/**
 * Runs one completion: a place, a prompt that fits, slots, a reserved ledger entry, the tokens, the
 * settled entry. The caller iterates to the end; aborting `control` ends the completion early. However it
 * ends, `CompletionSettlement` settles the entry once.
 */
export async function* runCompletion(
  services: CompletionServices,
  caller: Caller,
  spec: CompletionSpec,
  control: AbortController,
): AsyncGenerator<CompletionEvent, void, void> {
  const { signal } = control
  const arrivedMs = services.now()
  const place = services.admission.enter()
  try {
    const hold = services.rateLimits.enter(caller, arrivedMs)
    const entry = newEntry(services, caller, spec, arrivedMs)
    const settlement = new CompletionSettlement(services, entry, hold, spec.once)
    const watch = new CompletionWatch(caller, services.stopping, control)
    try {
      const prompt = await takeSlots(services, spec, place, hold, signal)
      await settlement.reserve(prompt.tokens.length)
      const request: GenerationRequest = {
        ...spec.generation,
        prompt,
        cacheScope: caller.accountId,
      }
      const reply = new CompletionReply(spec, settlement)
      const width = { choices: spec.choices, slots: place.slots }
      const events = generateChoices(services.engine, request, width, signal)
      for await (const event of events) {
        watch.noteFirstToken()
        if (settlement.mustAwaitReservation) await settlement.reserved
        const visible = reply.read(event)
        if (event.type === 'finish') place.keepSlots(reply.openChoices)
        if (reply.outcome !== undefined) await settlement.complete(reply.outcome, reply.toKept())
        if (visible !== undefined) yield visible
      }
      if (reply.isAborted) throw signal.reason
      yield { type: 'usage', usage: settlement.usage }
    } catch (error) {
      await settlement.fail(error)
      throw error
    } finally {
      watch.stop()
      await settlement.close()
    }
  } finally {
    place.leave()
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

/** Prepares the prompt, takes its tokens from the caller's limits, and waits for the slots. */
async function takeSlots(
  { engine }: CompletionServices,
  { messages, generation, choices }: CompletionSpec,
  place: Place,
  hold: Hold,
  signal: AbortSignal,
): Promise<Prompt> {
  const prompt = await preparePrompt(engine, messages, generation, signal)
  requireFits(prompt, engine.info)
  hold.reserve(prompt.tokens.length + generation.maxTokens * choices)
  await place.takeSlots(choices, signal)
  return prompt
}

function requireFits({ tokens }: Prompt, { contextTokens }: EngineInfo): void {
  if (tokens.length < contextTokens) return
  throw new ServiceError(
    'context_length_exceeded',
    `The prompt has ${tokens.length} tokens; this model reads at most ${contextTokens - 1}, ` +
      `so that a reply has room in its context of ${contextTokens}. Shorten the messages.`,
    { param: 'messages' },
  )
}
