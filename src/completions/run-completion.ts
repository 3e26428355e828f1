import type { Caller } from '../accounts/caller.ts'
import type {
  ChatMessage,
  Engine,
  EngineInfo,
  Prompt,
  SampledLogprob,
  Sampling,
} from '../engine/engine.ts'
import type { ReplyFormat } from '../engine/reply-format.ts'
import { type ErrorCode, ServiceError } from '../errors.ts'
import { firstTokenTimeoutMs, generationTimeoutMs } from '../limits.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Claim, Ledger, LedgerEntry, Settlement } from '../usage/ledger.ts'
import type { Hold, RateLimits } from '../usage/limits/rate-limits.ts'
import type { Admission, Place } from './admission.ts'
import { generateChoices } from './generate-choices.ts'
import { type Idempotency, type Once, ReplyRecorder } from './idempotency.ts'
import { Interruption } from './interruption.ts'
import { preparePrompt } from './prepare-prompt.ts'

export type CompletionSpec = {
  requestId: string
  model: string
  route: string
  stream: boolean
  messages: readonly ChatMessage[]
  /** Replies to the same messages. */
  choices: number
  /** Of each choice. */
  maxTokens: number
  sampling: Sampling
  stop: readonly string[]
  /** Undefined: no logprobs. */
  topLogprobs: number | undefined
  /** Undefined: any text. */
  format: ReplyFormat | undefined
  /** Without effect; for the receipt. */
  keptParameters: Readonly<Record<string, unknown>>
  /** Names that nobody here knows, fit for a header. */
  ignoredParameters: readonly string[]
  /** Of a request with an `Idempotency-Key`. */
  once?: Once | undefined
}

export type CompletionUsage = {
  promptTokens: number
  cachedTokens: number
  /** Of all choices. */
  completionTokens: number
}

export type CompletionEvent =
  | { type: 'delta'; index: number; text: string; logprobs?: readonly SampledLogprob[] }
  /** Once for each choice; that of the last one only after the usage is on disk. */
  | { type: 'finish'; index: number; reason: 'stop' | 'length' }
  /** Comes last, once. */
  | { type: 'usage'; usage: CompletionUsage }

export type CompletionServices = {
  engine: Engine
  admission: Admission
  idempotency: Idempotency
  ledger: Ledger
  rateLimits: RateLimits
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
  const { admission, rateLimits } = services
  const { signal } = control
  const arrivedMs = services.now()
  const place = admission.enter()
  try {
    const hold = rateLimits.enter(caller, arrivedMs)
    const watch = watchOver(caller, services.stopping, control)
    try {
      const entry = newEntry(services, caller, spec, arrivedMs)
      const prompt = await takeSlots(services, spec, { place, hold, entry, signal })
      yield* generate(services, spec, { prompt, place, hold, entry, signal, watch })
    } finally {
      watch.stop()
      hold.end(0)
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
    maxTokens: spec.maxTokens * spec.choices,
    createdMs,
    seed: spec.sampling.seed,
    fingerprint: engine.info.fingerprint,
    parameters: spec.keptParameters,
    ignored: spec.ignoredParameters,
  }
}

type Arrival = { place: Place; hold: Hold; entry: LedgerEntry; signal: AbortSignal }

/** A prompt that fits and slots to run it; whoever gets neither has a receipt of that. */
async function takeSlots(
  services: CompletionServices,
  spec: CompletionSpec,
  { place, hold, entry, signal }: Arrival,
): Promise<Prompt> {
  try {
    const prompt = await preparePrompt(services.engine, spec, signal)
    requireFits(prompt, services.engine.info)
    hold.reserve(prompt.tokens.length + entry.maxTokens)
    await place.takeSlots(spec.choices, signal)
    return prompt
  } catch (error) {
    if (isLimit(error)) throw error
    services.ledger.refuse(entry, {
      outcome: isRefusal(error) ? 'refused' : outcomeOf(error),
      errorCode: errorCodeOf(error),
      ...noUsage,
      queueMs: elapsed(entry.createdMs, services.now()),
    })
    throw error
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

function requireFits(prompt: Prompt, { contextTokens }: EngineInfo): void {
  if (prompt.tokens.length < contextTokens) return
  throw new ServiceError(
    'context_length_exceeded',
    `The prompt has ${prompt.tokens.length} tokens; this model reads at most ${contextTokens - 1}, ` +
      `so that a reply has room in its context of ${contextTokens}. Shorten the messages.`,
    { param: 'messages' },
  )
}

type Run = {
  prompt: Prompt
  place: Place
  hold: Hold
  entry: LedgerEntry
  signal: AbortSignal
  watch: Watch
}

async function* generate(
  services: CompletionServices,
  spec: CompletionSpec,
  run: Run,
): AsyncGenerator<CompletionEvent, void, void> {
  const { engine, ledger, metrics } = services
  const entry = { ...run.entry, promptTokens: run.prompt.tokens.length }
  const usage: CompletionUsage = { ...noUsage, promptTokens: entry.promptTokens }
  // Only what is settled as such was completed; every other way out overwrites this.
  let outcome: Settlement['outcome'] = 'client_abort'
  let errorCode: ErrorCode | undefined
  let reason: 'completed' | 'length' = 'completed'
  let settled = false
  let reply: string | undefined
  let startedMs = 0
  let firstTokenMs: number | undefined
  const settle = async () => {
    if (settled || reservation.state === 'failed') return
    settled = true
    run.hold.end(usage.promptTokens + usage.completionTokens)
    const nowMs = services.now()
    const settlement = {
      outcome,
      errorCode,
      ...usage,
      queueMs: elapsed(entry.createdMs, startedMs),
      prefillMs: elapsed(startedMs, firstTokenMs ?? nowMs),
      decodeMs: firstTokenMs === undefined ? undefined : elapsed(firstTokenMs, nowMs),
    }
    // Both at once: a reply that was faster than the disk costs one commit instead of two.
    await Promise.all([
      reservation.written,
      ledger.settle(entry, settlement, spec.once && { reply }),
    ])
    countCompletion(metrics, outcome, usage)
    services.logger.info('completion', {
      requestId: spec.requestId,
      accountId: entry.accountId,
      keyId: entry.keyId,
      stream: spec.stream,
      outcome,
      promptTokens: usage.promptTokens,
      completionTokens: usage.completionTokens,
      durationMs: elapsed(entry.createdMs, nowMs),
    })
  }

  const reservation = beginReservation(ledger, entry, spec.once?.claim)
  // Whether this request is the one that runs is known only then.
  if (spec.once !== undefined) await reservation.written
  startedMs = services.now()
  try {
    const request = {
      prompt: run.prompt,
      maxTokens: spec.maxTokens,
      sampling: spec.sampling,
      stop: spec.stop,
      topLogprobs: spec.topLogprobs,
      format: spec.format,
      cacheScope: entry.accountId,
    }
    const checkpoint = new Checkpoint(services, spec.requestId)
    const recorder = spec.once && new ReplyRecorder(spec.once.head)
    const tokens = Array.from({ length: spec.choices }, () => 0)
    let open = spec.choices
    let aborted = false
    for await (const { index, event } of generateChoices(
      engine,
      request,
      spec.choices,
      run.signal,
    )) {
      if (reservation.state === 'failed' || (spec.stream && reservation.state === 'pending'))
        await reservation.written
      switch (event.type) {
        case 'delta': {
          if (usage.completionTokens === 0) {
            run.watch.firstTokenSeen()
            firstTokenMs = services.now()
            metrics.firstTokenSeconds.observe((firstTokenMs - entry.createdMs) / 1000)
          }
          tokens[index] = (tokens[index] ?? 0) + event.tokens
          usage.completionTokens += event.tokens
          checkpoint.offer(usage.completionTokens)
          const { text, logprobs = [] } = event
          if (text === '' && logprobs.length === 0) break
          const delta = {
            type: 'delta',
            index,
            text,
            ...(logprobs.length > 0 && { logprobs }),
          } as const
          recorder?.add(delta)
          yield delta
          break
        }
        case 'finish': {
          usage.completionTokens += event.completionTokens - (tokens[index] ?? 0)
          // What the later choices found was computed for the first one.
          if (index === 0) usage.cachedTokens = event.cachedTokens
          open -= 1
          run.place.keepSlots(open)
          if (event.reason === 'aborted') {
            aborted = true
            break
          }
          if (event.reason === 'length') reason = 'length'
          const finish = { type: 'finish', index, reason: event.reason } as const
          recorder?.add(finish)
          if (open === 0 && !aborted) {
            outcome = reason
            reply = recorder?.toReply(usage)
            await settle()
          }
          yield finish
          break
        }
      }
    }
    if (aborted) throw run.signal.reason
    yield { type: 'usage', usage }
  } catch (error) {
    outcome = outcomeOf(error)
    errorCode = errorCodeOf(error)
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

type Reservation = { state: 'pending' | 'durable' | 'failed'; written: Promise<void> }

/** Nothing is told before the entry is durable, but the engine need not wait for the disk. */
function beginReservation(ledger: Ledger, entry: LedgerEntry, claim?: Claim): Reservation {
  const reservation: Reservation = { state: 'pending', written: ledger.reserve(entry, claim) }
  reservation.written.then(
    () => (reservation.state = 'durable'),
    () => (reservation.state = 'failed'),
  )
  return reservation
}

const noUsage: CompletionUsage = { promptTokens: 0, cachedTokens: 0, completionTokens: 0 }

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
  if (error instanceof ServiceError && error.code === 'shutting_down') return 'shutdown'
  return 'internal_error'
}

/** The request could not be taken, for a reason that the caller is told. */
function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && error.code !== 'engine_failed'
}

/** The caller's own limits: counted by nobody, as if it had not come. */
function isLimit(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 429
}

/** What the caller is told; undefined: it went away. */
function errorCodeOf(error: unknown): ErrorCode | undefined {
  if (error instanceof ServiceError) return error.code
  if (!(error instanceof Interruption)) return 'internal_error'
  return outcomeOf(error) === 'client_abort' ? undefined : error.toServiceError().code
}

/** Never negative, should the clock be set back in between. */
function elapsed(fromMs: number, toMs: number): number {
  return Math.max(0, Math.round(toMs - fromMs))
}

function countCompletion(metrics: Metrics, outcome: string, usage: CompletionUsage): void {
  metrics.completions.inc({ outcome })
  metrics.tokens.inc({ kind: 'prompt' }, usage.promptTokens)
  metrics.tokens.inc({ kind: 'cached' }, usage.cachedTokens)
  metrics.tokens.inc({ kind: 'completion' }, usage.completionTokens)
}
