import { ServiceError, shuttingDown } from '../errors.ts'
import { queueWaitMaxMs } from '../limits.ts'
import type {
  ChatMessage,
  Engine,
  EngineInfo,
  EngineLease,
  EngineState,
  EngineStats,
  GenerationEvent,
  GenerationRequest,
  PrepareOptions,
  Prompt,
} from './engine.ts'

/** An engine, and the number of requests that use it. */
type Served = { readonly engine: Engine; leases: number }

/** New requests wait here while no engine serves. */
type Gate = {
  readonly opened: Promise<void>
  readonly open: () => void
  readonly refuse: (error: ServiceError) => void
}

type SwitchableOptions = {
  /** Longest wait of a request for the next engine. */
  readonly waitMaxMs?: number
}

/**
 * An engine whose model can be replaced while requests run. Each request keeps the engine with which it began, and an
 * engine is closed when its last request has ended. If the memory does not suffice for two engines, `retire` closes the
 * old one first, and requests wait until `replace` brings another.
 */
export class SwitchableEngine implements Engine {
  readonly #waitMaxMs: number
  #current: Served
  /** Set between `retire` and `replace`. */
  #gate: Gate | undefined
  /** Called when the last request of the current engine ends. */
  #onUnused: (() => void) | undefined
  #isRetired = false
  /** Replaced engines with requests that have not ended. */
  readonly #retiring = new Set<Served>()
  /** Counters of the engines that are closed. */
  #past: EngineStats | undefined
  #isClosed = false

  constructor(engine: Engine, { waitMaxMs = queueWaitMaxMs }: SwitchableOptions = {}) {
    this.#current = { engine, leases: 0 }
    this.#waitMaxMs = waitMaxMs
  }

  get state(): EngineState {
    // While new requests wait for the next model, the service is not ready.
    const isWithoutEngine = this.#gate !== undefined || this.#isRetired
    return isWithoutEngine && !this.#isClosed ? 'loading' : this.#current.engine.state
  }

  get info(): EngineInfo {
    return this.#current.engine.info
  }

  get pid(): number | undefined {
    return this.#current.engine.pid
  }

  /** Sums the counters of all engines since the start, so that no counter ever decreases. */
  stats(): EngineStats {
    const serving = this.#isRetired ? [] : [this.#current]
    const engines = [...serving, ...this.#retiring].map(({ engine }) => engine.stats())
    return [...engines, ...(this.#past === undefined ? [] : [this.#past])].reduce(sumOf)
  }

  lease(signal?: AbortSignal): EngineLease | Promise<EngineLease> {
    return this.#gate === undefined ? this.#leaseNow() : this.#leaseLater(signal)
  }

  /** Waits for the next engine. */
  async #leaseLater(signal: AbortSignal | undefined): Promise<EngineLease> {
    const timeout = AbortSignal.timeout(this.#waitMaxMs)
    const ended = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
    const { promise, reject } = Promise.withResolvers<never>()
    promise.catch(() => {})
    const onEnd = () => reject(signal?.aborted === true ? signal.reason : noModel())
    ended.addEventListener('abort', onEnd)
    try {
      ended.throwIfAborted()
      // Another switch may begin before this request resumes.
      while (this.#gate !== undefined) await Promise.race([this.#gate.opened, promise])
      return this.#leaseNow()
    } finally {
      ended.removeEventListener('abort', onEnd)
    }
  }

  #leaseNow(): EngineLease {
    const served = this.#current
    served.leases += 1
    let isReleased = false
    const release = (): void => {
      if (isReleased) return
      isReleased = true
      served.leases -= 1
      if (this.#retiring.has(served)) this.#closeIfUnused(served)
      else if (served === this.#current && served.leases === 0) this.#onUnused?.()
    }
    return { engine: served.engine, release }
  }

  async prepare(
    messages: readonly ChatMessage[],
    signal: AbortSignal,
    options?: PrepareOptions,
  ): Promise<Prompt> {
    const { engine, release } = await this.lease(signal)
    return await engine.prepare(messages, signal, options).finally(release)
  }

  async *generate(
    request: GenerationRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerationEvent> {
    const { engine, release } = await this.lease(signal)
    try {
      yield* engine.generate(request, signal)
    } finally {
      release()
    }
  }

  /** Serves new and waiting requests with this engine, which must have as many slots as the previous one. */
  async replace(engine: Engine): Promise<void> {
    if (this.#isClosed) return await engine.close()
    const old = this.#current
    this.#current = { engine, leases: 0 }
    if (this.#isRetired) this.#isRetired = false
    else {
      this.#retiring.add(old)
      this.#closeIfUnused(old)
    }
    this.#openGate()
  }

  /**
   * Makes new requests wait, and closes the engine when its last request has ended. `replace` must follow.
   * @returns false if requests still run after `timeoutMs`, or if the service stops; the engine then keeps serving
   */
  async retire(timeoutMs: number): Promise<boolean> {
    this.#gate = newGate()
    if (!(await this.#untilUnused(timeoutMs)) || this.#isClosed || this.#gate === undefined) {
      this.#openGate()
      return false
    }
    const { engine } = this.#current
    this.#addToPast(engine)
    this.#isRetired = true
    await engine.close()
    return true
  }

  /** Refuses the requests that wait for an engine, because the service stops. */
  refuseWaiting(): void {
    this.#gate?.refuse(shuttingDown())
    this.#gate = undefined
    this.#onUnused?.()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.refuseWaiting()
    const engines = [this.#current, ...this.#retiring]
    await Promise.all(engines.map(({ engine }) => engine.close()))
  }

  #openGate(): void {
    const gate = this.#gate
    this.#gate = undefined
    gate?.open()
  }

  async #untilUnused(timeoutMs: number): Promise<boolean> {
    if (this.#current.leases === 0) return true
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(false), timeoutMs)
    this.#onUnused = () => resolve(true)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.#onUnused = undefined
    }
  }

  #addToPast(engine: Engine): void {
    const stats = { ...engine.stats(), slotsBusy: 0 }
    this.#past = this.#past === undefined ? stats : sumOf(this.#past, stats)
  }

  #closeIfUnused(served: Served): void {
    if (served.leases > 0) return
    this.#retiring.delete(served)
    this.#addToPast(served.engine)
    // No request waits for the close. The supervisor kills a process that does not end.
    void served.engine.close().catch(() => {})
  }
}

function newGate(): Gate {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // Avoids an unhandled rejection if no request is waiting.
  promise.catch(() => {})
  return { opened: promise, open: resolve, refuse: reject }
}

function noModel(): ServiceError {
  return new ServiceError(
    'overloaded',
    'Another model is being loaded, and the wait for it was too long. Try again in a moment.',
    { retryAfterMs: 5000 },
  )
}

function sumOf(a: EngineStats, b: EngineStats): EngineStats {
  return {
    slotsBusy: a.slotsBusy + b.slotsBusy,
    restarts: a.restarts + b.restarts,
    steps: a.steps + b.steps,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    speculativeTokens: a.speculativeTokens + b.speculativeTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
  }
}
