import { plainDialect } from '../../../src/engine/dialect/dialect.ts'
import type {
  ChatMessage,
  Engine,
  EngineLease,
  EngineState,
  GenerationEvent,
  GenerationRequest,
  Prompt,
} from '../../../src/engine/engine.ts'
import { ServiceError, shuttingDown } from '../../../src/errors.ts'
import { contextTokens, type Schedule } from '../schedule.ts'

/** The engine's own record of one request. */
export type EngineTrace = {
  readonly holder: string
  /** Tokens that were sampled for the request, whether or not the service received them. */
  sampled: number
  running: number
  leases: number
}

type Pace = Pick<Schedule, 'slots' | 'tokenMs' | 'prefillMs' | 'abortMs'>
type Wake = () => void
type Finish = Extract<GenerationEvent, { type: 'finish' }>

/** Maximum number of tokens that the engine still samples after an abort is sent and before it arrives. */
const inFlightMax = 2

const noTrace: EngineTrace = { holder: '', sampled: 0, running: 0, leases: 0 }

/** Tokens of a message besides its words. */
const messageTokens = 4

/** Prefix of the name of a conversation whose tokens are long. */
export const wideMark = 'wide'
const wideChars = 1000

/** Returns the text of a reply's token, which names the conversation, the choice and the index of the token. */
export function tokenText(conversation: string, seed: number, index: number): string {
  const text = `${conversation}/${seed}/${index}`
  return `${conversation.startsWith(wideMark) ? text.padEnd(wideChars, 'x') : text} `
}

/**
 * An engine that can crash, restart and stop for a while. Each word of a message is a token. The first word of the
 * last message names the conversation, the second the number of tokens of the reply.
 */
export class SimulatedEngine implements Engine {
  readonly info: Engine['info']
  readonly pid = undefined
  /** Breaches of the contract of an engine. */
  readonly faults: string[] = []
  readonly #traces: Map<string, EngineTrace>
  readonly #pace: Pace
  readonly #conversations = new WeakMap<Int32Array, string[]>()
  readonly #wakeOnReady = new Set<Wake>()
  readonly #wakeOnCrash = new Set<Wake>()
  #state: EngineState = 'ready'
  #crashes = 0
  #pausedUntilMs = 0
  #busy = 0
  #leasing: EngineTrace = noTrace

  constructor(pace: Pace, traces: Map<string, EngineTrace>) {
    this.#pace = pace
    this.#traces = traces
    this.info = {
      contextTokens,
      slots: pace.slots,
      vocabularyTokens: 1000,
      dialect: plainDialect,
      fingerprint: 'fp_simulated',
    }
  }

  get state(): EngineState {
    return this.#state
  }

  stats(): ReturnType<Engine['stats']> {
    const none = { steps: 0, promptTokens: 0, completionTokens: 0, speculativeTokens: 0 }
    return { ...none, slotsBusy: this.#busy, restarts: this.#crashes, cachedTokens: 0 }
  }

  /** Names the request that leases the engine next. */
  expect(requestId: string, holder: string): void {
    this.#leasing = { holder, sampled: 0, running: 0, leases: 0 }
    this.#traces.set(requestId, this.#leasing)
  }

  lease(): EngineLease {
    const trace = this.#leasing
    trace.leases += 1
    // Each request uses such a derived engine. The rest of the service uses the engine itself.
    const engine = Object.create(this) as Engine
    engine.generate = (request, signal) => this.#generate(request, signal, trace)
    engine.prepare = (messages, signal) => this.prepare(messages, signal)
    Object.defineProperty(engine, 'state', { get: () => this.#state })
    const release = () => {
      trace.leases -= 1
      if (trace.leases < 0) this.faults.push(`${trace.holder} released its engine twice`)
      if (trace.running > 0) this.faults.push(`${trace.holder} left while it generated`)
    }
    return { engine, release }
  }

  async prepare(messages: readonly ChatMessage[], signal: AbortSignal): Promise<Prompt> {
    await this.#untilReady(signal)
    await sleep(2, [signal])
    await this.#untilReady(signal)
    const words = messages.flatMap(({ content }) => content.split(' '))
    const tokens = new Int32Array(words.length + messageTokens * messages.length)
    this.#conversations.set(tokens, messages.at(-1)?.content.split(' ') ?? [])
    return { tokens, replies: new Int32Array() }
  }

  generate(request: GenerationRequest, signal: AbortSignal): AsyncIterable<GenerationEvent> {
    return this.#generate(request, signal, noTrace)
  }

  async close(): Promise<void> {
    this.#state = 'closed'
  }

  /** Ends all running generations; those that wait for their first token are started again. */
  crash(restartMs: number): void {
    if (this.#state === 'closed') return
    this.#state = 'restarting'
    const crash = ++this.#crashes
    for (const wake of this.#wakeOnCrash) wake()
    setTimeout(() => {
      if (crash !== this.#crashes || this.#state === 'closed') return
      this.#state = 'ready'
      for (const wake of this.#wakeOnReady) wake()
    }, restartMs)
  }

  pause(forMs: number): void {
    this.#pausedUntilMs = performance.now() + forMs
  }

  /** Frees the slot before it yields the finish event. */
  async *#generate(
    request: GenerationRequest,
    signal: AbortSignal,
    trace: EngineTrace,
  ): AsyncGenerator<GenerationEvent> {
    if (this.#busy >= this.#pace.slots) this.faults.push('a generation without a slot')
    this.#busy += 1
    trace.running += 1
    let finish: Finish
    try {
      finish = yield* this.#sample(request, signal, trace)
    } finally {
      this.#busy -= 1
      trace.running -= 1
    }
    yield finish
  }

  async *#sample(
    { prompt, maxTokens, sampling }: GenerationRequest,
    signal: AbortSignal,
    trace: EngineTrace,
  ): AsyncGenerator<GenerationEvent, Finish> {
    const { tokenMs, prefillMs, abortMs } = this.#pace
    const [name = '', length = '1'] = this.#conversations.get(prompt.tokens) ?? []
    const end = Math.min(Number(length), maxTokens)
    let crashes = this.#crashes
    let tokens = 0
    let waitMs = prefillMs * prompt.tokens.length
    while (tokens < end) {
      const isWhole = await this.#sleepUnlessCrash(waitMs + tokenMs, signal)
      if (signal.aborted) {
        await sleep(abortMs)
        const inFlight = tokens === 0 ? 0 : Math.min(inFlightMax, end - tokens)
        trace.sampled += inFlight
        return finishOf('aborted', tokens + inFlight)
      }
      if (crashes !== this.#crashes || !isWhole) {
        if (tokens > 0) throw new ServiceError('engine_failed', 'The engine stopped. Try again.')
        await this.#untilReady(signal).catch(() => undefined)
        if (this.#state === 'closed') throw shuttingDown()
        crashes = this.#crashes
        continue
      }
      waitMs = 0
      tokens += 1
      trace.sampled += 1
      yield { type: 'delta', text: tokenText(name, sampling.seed, tokens), tokens: 1 }
    }
    return finishOf(end < maxTokens ? 'stop' : 'length', tokens)
  }

  /** Sleeps for `ms`, plus the time left of a pause. Returns false if the engine crashed meanwhile. */
  async #sleepUnlessCrash(ms: number, signal: AbortSignal): Promise<boolean> {
    const crashes = this.#crashes
    const pauseMs = Math.max(0, this.#pausedUntilMs - performance.now())
    await sleep(ms + pauseMs, [signal], this.#wakeOnCrash)
    return crashes === this.#crashes
  }

  async #untilReady(signal: AbortSignal): Promise<void> {
    while (this.#state !== 'ready') {
      signal.throwIfAborted()
      if (this.#state === 'closed') throw shuttingDown()
      await sleep(3_600_000, [signal], this.#wakeOnReady)
    }
    signal.throwIfAborted()
  }
}

function finishOf(reason: Finish['reason'], completionTokens: number): Finish {
  return { type: 'finish', reason, completionTokens, cachedTokens: 0 }
}

/** Waits for `ms`, for an abort, or until it is woken. */
function sleep(ms: number, signals: readonly AbortSignal[] = [], wakes?: Set<Wake>): Promise<void> {
  if (signals.some(({ aborted }) => aborted)) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      wakes?.delete(done)
      for (const signal of signals) signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    wakes?.add(done)
    for (const signal of signals) signal.addEventListener('abort', done)
  })
}
