import type { Caller } from '../accounts/api-keys.ts'
import type { ChatMessage, Engine, Prompt, SampledLogprob, Sampling } from '../engine/engine.ts'
import { ServiceError } from '../errors.ts'
import { firstTokenTimeoutMs, generationTimeoutMs, queueWaitMaxMs } from '../limits.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Ledger, Settlement } from '../usage/ledger.ts'
import type { Admission } from './admission.ts'
import { Interruption } from './interruption.ts'

export type CompletionSpec = {
  requestId: string
  model: string
  route: string
  stream: boolean
  messages: readonly ChatMessage[]
  maxTokens: number
  sampling: Sampling
  stop: readonly string[]
  /** Undefined: no logprobs. */
  topLogprobs: number | undefined
}

export type CompletionUsage = {
  promptTokens: number
  cachedTokens: number
  completionTokens: number
}

export type CompletionEvent =
  | { type: 'delta'; text: string; logprobs?: readonly SampledLogprob[] }
  /** Comes last, once, and only after the usage is on disk. */
  | { type: 'finish'; reason: 'stop' | 'length'; usage: CompletionUsage }

export type CompletionServices = {
  engine: Engine
  admission: Admission
  ledger: Ledger
  metrics: Metrics
  logger: Logger
  now: () => number
  /** Aborts when the grace period of a shutdown is over. */
  stopping: AbortSignal
}

/**
 * One generation's life: a place, a prompt that fits, a slot, a reserved ledger entry, the tokens,
 * the settled entry. Whoever calls it iterates to the end; `control` is what cuts it short.
 */
export async function* runCompletion(
  services: CompletionServices,
  caller: Caller,
  spec: CompletionSpec,
  control: AbortController,
): AsyncGenerator<CompletionEvent, void, void> {
  const { admission } = services
  const { signal } = control
  const arrivedMs = services.now()
  const place = admission.enter()
  const watch = watchOver(caller, services.stopping, control)
  try {
    const prompt = await preparePrompt(services, spec, signal)
    await place.takeSlot(signal)
    yield* generate(services, caller, spec, { prompt, arrivedMs, signal, watch })
  } finally {
    watch.stop()
    place.leave()
  }
}

type Watch = { firstTokenSeen: () => void; stop: () => void }

/** Cuts the completion short when its key is revoked, it takes too long, or the service stops. */
function watchOver(caller: Caller, stopping: AbortSignal, control: AbortController): Watch {
  const onRevoked = () => control.abort(new Interruption('revoked'))
  const onStopping = () => control.abort(new Interruption('shutdown'))
  const onDeadline = () => control.abort(new Interruption('deadline'))
  const firstToken = setTimeout(onDeadline, firstTokenTimeoutMs)
  const whole = setTimeout(onDeadline, generationTimeoutMs)
  if (caller.revoked.aborted) onRevoked()
  if (stopping.aborted) onStopping()
  caller.revoked.addEventListener('abort', onRevoked)
  stopping.addEventListener('abort', onStopping)
  return {
    firstTokenSeen: () => clearTimeout(firstToken),
    stop: () => {
      clearTimeout(firstToken)
      clearTimeout(whole)
      caller.revoked.removeEventListener('abort', onRevoked)
      stopping.removeEventListener('abort', onStopping)
    },
  }
}

async function preparePrompt(
  { engine }: CompletionServices,
  spec: CompletionSpec,
  signal: AbortSignal,
): Promise<Prompt> {
  const waiting = new AbortController()
  const onAbort = () => waiting.abort(signal.reason)
  const timer = setTimeout(() => waiting.abort(engineAway()), queueWaitMaxMs)
  signal.addEventListener('abort', onAbort)
  try {
    signal.throwIfAborted()
    const prompt = await engine.prepare(spec.messages, waiting.signal)
    const { contextTokens, vocabularyTokens } = engine.info
    const foreign = spec.sampling.logitBias?.find(([token]) => token >= vocabularyTokens)
    if (foreign !== undefined)
      throw new ServiceError(
        'invalid_value',
        `\`logit_bias\` names token ${foreign[0]}; this model has the tokens 0 to ${vocabularyTokens - 1}.`,
        { param: 'logit_bias' },
      )
    if (prompt.tokens.length >= contextTokens)
      throw new ServiceError(
        'context_length_exceeded',
        `The prompt has ${prompt.tokens.length} tokens; this model reads at most ${contextTokens - 1}, ` +
          `so that a reply has room in its context of ${contextTokens}. Shorten the messages.`,
        { param: 'messages' },
      )
    return prompt
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

function engineAway(): ServiceError {
  return new ServiceError('model_loading', 'The model is being loaded. Try again in a moment.', {
    retryAfterMs: 2000,
  })
}

type Run = { prompt: Prompt; arrivedMs: number; signal: AbortSignal; watch: Watch }

async function* generate(
  services: CompletionServices,
  caller: Caller,
  spec: CompletionSpec,
  run: Run,
): AsyncGenerator<CompletionEvent, void, void> {
  const { engine, ledger, metrics } = services
  const usage: CompletionUsage = {
    promptTokens: run.prompt.tokens.length,
    cachedTokens: 0,
    completionTokens: 0,
  }
  // Only what is settled as such was completed; every other way out overwrites this.
  let outcome: Settlement['outcome'] = 'client_abort'
  let settled = false
  const settle = async () => {
    if (settled) return
    settled = true
    await ledger.settle(spec.requestId, { outcome, ...usage })
    countCompletion(metrics, outcome, usage)
    services.logger.info('completion', {
      requestId: spec.requestId,
      accountId: caller.accountId,
      keyId: caller.keyId,
      stream: spec.stream,
      outcome,
      promptTokens: usage.promptTokens,
      completionTokens: usage.completionTokens,
      durationMs: Math.round(services.now() - run.arrivedMs),
    })
  }

  await ledger.reserve({
    requestId: spec.requestId,
    accountId: caller.accountId,
    keyId: caller.keyId,
    model: spec.model,
    route: spec.route,
    stream: spec.stream,
    promptTokens: usage.promptTokens,
    maxTokens: spec.maxTokens,
    createdMs: run.arrivedMs,
  })
  try {
    const request = {
      prompt: run.prompt,
      maxTokens: spec.maxTokens,
      sampling: spec.sampling,
      stop: spec.stop,
      topLogprobs: spec.topLogprobs,
      cacheScope: caller.accountId,
    }
    const checkpoint = new Checkpoint(services, spec.requestId)
    for await (const event of engine.generate(request, run.signal)) {
      switch (event.type) {
        case 'delta': {
          if (usage.completionTokens === 0) {
            run.watch.firstTokenSeen()
            metrics.firstTokenSeconds.observe((services.now() - run.arrivedMs) / 1000)
          }
          usage.completionTokens += event.tokens
          checkpoint.offer(usage.completionTokens)
          const { text, logprobs = [] } = event
          if (logprobs.length > 0) yield { type: 'delta', text, logprobs }
          else if (text !== '') yield { type: 'delta', text }
          break
        }
        case 'finish': {
          usage.completionTokens = event.completionTokens
          usage.cachedTokens = event.cachedTokens
          if (event.reason === 'aborted') throw run.signal.reason
          outcome = event.reason === 'length' ? 'length' : 'completed'
          await settle()
          yield { type: 'finish', reason: event.reason, usage }
          break
        }
      }
    }
  } catch (error) {
    outcome = outcomeOf(error)
    throw error
  } finally {
    // The caller's own error, if there is one, says more than a failure to write it down.
    await settle().catch((error: unknown) =>
      services.logger.error('a ledger entry could not be settled', {
        requestId: spec.requestId,
        error,
      }),
    )
  }
}

const checkpointTokens = 64
const checkpointMs = 1000

/** Keeps the loss of a crash below 64 tokens or one second. */
class Checkpoint {
  readonly #services: CompletionServices
  readonly #requestId: string
  #tokens = 0
  #ms: number

  constructor(services: CompletionServices, requestId: string) {
    this.#services = services
    this.#requestId = requestId
    this.#ms = services.now()
  }

  offer(tokens: number): void {
    const nowMs = this.#services.now()
    if (tokens - this.#tokens < checkpointTokens && nowMs - this.#ms < checkpointMs) return
    this.#tokens = tokens
    this.#ms = nowMs
    this.#services.ledger.checkpoint(this.#requestId, tokens)
  }
}

function outcomeOf(error: unknown): Settlement['outcome'] {
  if (error instanceof Interruption) {
    switch (error.reason) {
      case 'client_abort':
      case 'slow_reader':
        return 'client_abort'
      case 'revoked':
        return 'revoked'
      case 'deadline':
        return 'deadline'
      case 'shutdown':
        return 'shutdown'
    }
  }
  if (error instanceof ServiceError && error.code === 'engine_failed') return 'engine_crash'
  return 'internal_error'
}

function countCompletion(metrics: Metrics, outcome: string, usage: CompletionUsage): void {
  metrics.completions.inc({ outcome })
  metrics.tokens.inc({ kind: 'prompt' }, usage.promptTokens)
  metrics.tokens.inc({ kind: 'cached' }, usage.cachedTokens)
  metrics.tokens.inc({ kind: 'completion' }, usage.completionTokens)
}
