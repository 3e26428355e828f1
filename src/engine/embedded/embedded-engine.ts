import { ServiceError } from '../../errors.ts'
import {
  guessedTokensDefault,
  heartbeatTimeoutMs,
  modelLoadTimeoutMs,
  restartBackoffMaxMs,
} from '../../limits.ts'
import type { Logger } from '../../telemetry/logger.ts'
import type {
  ChatMessage,
  Engine,
  EngineInfo,
  EngineState,
  GenerationEvent,
  GenerationRequest,
  Prompt,
} from '../engine.ts'
import type { EngineStats } from '../engine-stats.ts'
import type { ReplyFormat } from '../reply-format.ts'
import { findEngineBuild } from './engine-build.ts'
import type { GpuSetting } from './gpu-package.ts'
import type { Arithmetic, ChildMessage, KvType, ModelFacts, StepEvent } from './ipc.ts'
import { PendingGeneration } from './pending-generation.ts'
import { PendingPrepare } from './pending-prepare.ts'
import { Quarantine } from './quarantine.ts'
import { Supervisor, type SupervisorTimeouts } from './supervisor.ts'
import type { ChildDeath } from './watched-child.ts'

export type EmbeddedEngineSettings = {
  readonly modelPath: string
  /** Another content is refused. */
  readonly modelSha256?: string | undefined
  /** Undefined: 4, or as many as the memory allows. */
  readonly slots?: number | undefined
  /** Undefined: as the model was trained for, at most 4096, and no more than the memory allows. */
  readonly contextTokens?: number | undefined
  readonly kvType?: KvType
  /** Undefined: off. */
  readonly gpu?: GpuSetting
  /** Undefined: what the machine and its control groups leave. */
  readonly availableBytes?: number | undefined
  readonly threads: number
  /** Of conversations that lost their slot, kept in memory. Undefined: a quarter of what the slots hold. */
  readonly cachedTokens?: number | undefined
  /** The longest guess at what comes next, decoded in the same step; 0 guesses nothing. */
  readonly guessedTokens?: number
  /** Undefined: the best that the processor can; 'llama.cpp' where it lacks our instructions. */
  readonly arithmetic?: Arithmetic
}

export type EmbeddedEngineOptions = Partial<SupervisorTimeouts> & {
  readonly logger?: Logger
  readonly now?: () => number
}

/** llama.cpp in a supervised process of its own. */
export class EmbeddedEngine implements Engine {
  readonly #logger: Logger | undefined
  readonly #supervisor: Supervisor
  readonly #quarantine: Quarantine
  readonly #prepares = new Map<number, PendingPrepare>()
  readonly #generations = new Map<number, PendingGeneration>()
  /** Handed over and not ended: as many as there are slots. */
  #inChild = 0
  #lastId = 0
  #info: EngineInfo | undefined
  #counts = {
    steps: 0,
    promptTokens: 0,
    completionTokens: 0,
    guessedTokens: 0,
    kvReuseHits: 0,
    kvReusedTokens: 0,
  }

  /** @throws StartError with one sentence that names the file and the cause */
  static async start(
    settings: EmbeddedEngineSettings,
    options: EmbeddedEngineOptions = {},
  ): Promise<EmbeddedEngine> {
    const engine = new EmbeddedEngine(settings, options)
    await engine.#supervisor.start()
    return engine
  }

  private constructor(settings: EmbeddedEngineSettings, options: EmbeddedEngineOptions) {
    this.#logger = options.logger
    this.#quarantine = new Quarantine(options.now ?? Date.now)
    this.#supervisor = new Supervisor(
      {
        ...findEngineBuild(settings.gpu),
        modelPath: settings.modelPath,
        modelSha256: settings.modelSha256,
        slots: settings.slots,
        contextTokens: settings.contextTokens,
        kvType: settings.kvType ?? 'f16',
        availableBytes: settings.availableBytes,
        threads: settings.threads,
        cachedTokens: settings.cachedTokens,
        guessedTokens: settings.guessedTokens ?? guessedTokensDefault,
        arithmetic: settings.arithmetic,
      },
      { heartbeatTimeoutMs, modelLoadTimeoutMs, restartBackoffMaxMs, ...options },
      {
        onReady: (model) => this.#takeReady(model),
        onMessage: (message) => this.#takeMessage(message),
        onDeath: (death) => this.#takeDeath(death),
        isBusy: () => this.#inChild > 0,
      },
    )
  }

  get state(): EngineState {
    return this.#supervisor.state
  }

  get info(): EngineInfo {
    if (this.#info === undefined) throw new Error('the engine is not loaded yet')
    return this.#info
  }

  /** Of the engine process; undefined while there is none. */
  get pid(): number | undefined {
    return this.#supervisor.pid
  }

  get restarts(): number {
    return this.#supervisor.restarts
  }

  stats(): EngineStats {
    return {
      slots: this.info.slots,
      slotsBusy: this.#inChild,
      restarts: this.restarts,
      ...this.#counts,
    }
  }

  async prepare(
    messages: readonly ChatMessage[],
    signal: AbortSignal,
    format?: ReplyFormat,
  ): Promise<Prompt> {
    signal.throwIfAborted()
    this.#requireOpen()
    const prepare = new PendingPrepare(this.#nextId(), messages, format)
    if (this.#refuses(prepare)) throw quarantinedError()
    this.#prepares.set(prepare.id, prepare)
    const giveUp = (): void => prepare.fail(signal.reason)
    signal.addEventListener('abort', giveUp)
    try {
      if (this.state === 'ready') this.#send(prepare)
      return await prepare.prompt
    } finally {
      signal.removeEventListener('abort', giveUp)
      this.#prepares.delete(prepare.id)
    }
  }

  async *generate(
    request: GenerationRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerationEvent> {
    this.#requireOpen()
    const generation = new PendingGeneration(this.#nextId(), request)
    if (this.#refuses(generation)) throw quarantinedError()
    this.#generations.set(generation.id, generation)
    const abort = (): void => this.#abort(generation)
    signal.addEventListener('abort', abort)
    try {
      if (signal.aborted) abort()
      this.#dispatch()
      yield* generation.events()
    } finally {
      signal.removeEventListener('abort', abort)
      // Whoever stops reading has no further use for it.
      this.#abort(generation)
    }
  }

  async close(): Promise<void> {
    const closing = this.#supervisor.close()
    const error = new ServiceError(
      'shutting_down',
      'The service is shutting down. Try again elsewhere.',
    )
    for (const prepare of this.#prepares.values()) prepare.fail(error)
    for (const generation of this.#generations.values()) generation.fail(error)
    this.#generations.clear()
    await closing
  }

  #requireOpen(): void {
    if (this.state !== 'closed') return
    throw new ServiceError('shutting_down', 'The service is shutting down. Try again elsewhere.')
  }

  #nextId(): number {
    this.#lastId = (this.#lastId % 0x7fff_ffff) + 1
    return this.#lastId
  }

  #send(prepare: PendingPrepare): void {
    prepare.isSent = true
    this.#supervisor.send(prepare.toMessage())
  }

  /** In the order of asking; the child gets no more than it has slots. */
  #dispatch(): void {
    if (this.state !== 'ready') return
    for (const generation of this.#generations.values()) {
      if (this.#inChild >= this.info.slots) return
      if (generation.state !== 'waiting') continue
      this.#inChild += 1
      generation.state = 'sent'
      this.#supervisor.send(generation.toMessage())
    }
  }

  #abort(generation: PendingGeneration): void {
    switch (generation.state) {
      case 'waiting':
        generation.finish('aborted', 0)
        this.#generations.delete(generation.id)
        break
      case 'sent':
      case 'running':
        // The end comes from the child, with the tokens that were sampled until then.
        if (!generation.isAborting) this.#supervisor.send({ type: 'abort', id: generation.id })
        generation.isAborting = true
        break
      case 'ended':
    }
  }

  #takeReady(model: ModelFacts): void {
    const { kvBytes, availableBytes, ...facts } = model
    this.#info ??= { ...facts, memory: { kvBytes, availableBytes } }
    for (const prepare of this.#prepares.values()) this.#send(prepare)
    this.#dispatch()
  }

  #takeMessage(message: ChildMessage): void {
    switch (message.type) {
      case 'prepared':
        this.#takePrepared(message.id, message.prompt)
        break
      case 'refused':
        this.#prepares.get(message.id)?.refuse(message)
        break
      case 'step':
        this.#counts.steps += 1
        for (const event of message.events) this.#takeEvent(event)
        break
      case 'loaded':
      case 'failed':
      case 'heartbeat':
    }
  }

  #takePrepared(id: number, prompt: Prompt): void {
    const prepare = this.#prepares.get(id)
    prepare?.resolve(prompt)
    if (prepare !== undefined && !this.#quarantine.isEmpty) {
      this.#quarantine.clear(prepare.fingerprint())
    }
  }

  #takeEvent(event: StepEvent): void {
    const generation = this.#generations.get(event.id)
    // Late news of what ended already.
    if (generation === undefined || generation.state === 'waiting') return
    switch (event.type) {
      case 'started':
        generation.start(event.cachedTokens)
        this.#countPrompt(generation.promptTokens, event.cachedTokens)
        break
      case 'delta':
        generation.append(event)
        this.#counts.completionTokens += event.tokens
        // A step samples one token for each slot, and more where a guess held.
        this.#counts.guessedTokens += Math.max(0, event.tokens - 1)
        break
      case 'finish':
        generation.finish(event.reason, event.completionTokens)
        this.#release(generation)
        this.#supervisor.noteSuccess()
        if (!this.#quarantine.isEmpty) this.#quarantine.clear(generation.fingerprint())
        break
      case 'failed':
        generation.fail(
          new ServiceError('engine_failed', 'The engine could not go on with this request.'),
        )
        this.#release(generation)
    }
  }

  #countPrompt(promptTokens: number, cachedTokens: number): void {
    this.#counts.promptTokens += promptTokens - cachedTokens
    this.#counts.kvReusedTokens += cachedTokens
    if (cachedTokens > 0) this.#counts.kvReuseHits += 1
  }

  #release(generation: PendingGeneration): void {
    this.#generations.delete(generation.id)
    this.#inChild -= 1
    this.#dispatch()
  }

  #takeDeath(death: ChildDeath): void {
    this.#logger?.error('the engine process died; another one is started', {
      pid: death.pid,
      error: new Error(death.cause),
    })
    this.#inChild = 0
    if (death.ownFault) this.#strikeSuspects()
    for (const prepare of this.#prepares.values()) {
      prepare.isSent = false
      if (this.#refuses(prepare)) prepare.fail(quarantinedError())
    }
    for (const generation of this.#generations.values()) this.#survive(generation, death)
  }

  /** One death is one strike, however many choices of one prompt were running. */
  #strikeSuspects(): void {
    const prepares = [...this.#prepares.values()].filter((prepare) => prepare.isSent)
    const generations = [...this.#generations.values()].filter(({ state }) => state !== 'waiting')
    const suspects = [...prepares, ...generations].map((suspect) => suspect.fingerprint())
    for (const fingerprint of new Set(suspects)) this.#quarantine.strike(fingerprint)
  }

  /** What had begun is lost, for its caller has read a part of it; the rest is tried again. */
  #survive(generation: PendingGeneration, death: ChildDeath): void {
    if (generation.state === 'waiting') return
    if (generation.isAborting) {
      generation.finish('aborted', generation.completionTokens)
    } else if (generation.state === 'running') {
      generation.fail(
        new ServiceError(
          'engine_failed',
          'The engine stopped in the middle of the reply. Try again.',
          {
            cause: new Error(death.cause),
          },
        ),
      )
    } else if (this.#refuses(generation)) {
      generation.fail(quarantinedError())
    } else {
      generation.state = 'waiting'
      return
    }
    this.#generations.delete(generation.id)
  }

  #refuses(request: { fingerprint(): string }): boolean {
    return !this.#quarantine.isEmpty && this.#quarantine.refuses(request.fingerprint())
  }
}

function quarantinedError(): ServiceError {
  return new ServiceError(
    'engine_failed',
    'The engine stopped twice while it worked on this request, so it is not tried again for some minutes.',
  )
}
