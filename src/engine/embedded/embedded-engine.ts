import { strict as assert } from 'node:assert'
import { ServiceError, shuttingDown } from '../../errors.ts'
import { heartbeatTimeoutMs, modelLoadTimeoutMs, restartBackoffMaxMs } from '../../limits.ts'
import type { Logger } from '../../telemetry/logger.ts'
import type { EmbeddedSettings } from '../engine-settings.ts'
import type {
  ChatMessage,
  Engine,
  EngineInfo,
  EngineState,
  EngineStats,
  GenerationEvent,
  GenerationRequest,
  PrepareOptions,
  Prompt,
} from '../engine.ts'
import { CrashBreaker } from './crashes/crash-breaker.ts'
import { readChatTemplate } from './read-chat-template.ts'
import { findEngineBuild } from './engine-build.ts'
import type { ChildMessage, EngineFacts, StepEvent } from './ipc.ts'
import { PendingGeneration } from './pending-generation.ts'
import type { ReplyPart } from './reply-record.ts'
import type { PendingPrepare } from './prepare/pending-prepare.ts'
import { Prepares } from './prepare/prepares.ts'
import { Quarantine, quarantinedError } from './quarantine.ts'
import { describeLayers, missingLayers } from './sandbox/layers.ts'
import { Supervisor, type SupervisorTimeouts } from './supervisor.ts'
import type { ChildExit } from './watched-child.ts'

export type EmbeddedEngineOptions = Partial<SupervisorTimeouts> & {
  readonly logger?: Logger
  readonly now?: () => number
}

/**
 * Runs llama.cpp in a supervised process of its own. When that process crashes or hangs, the next one gets
 * every request again. A generation that had started is generated again, and continues if its known reply comes out
 * the same. It fails with `engine_failed` if the reply differs, at its second crash, and on a device that does not
 * repeat replies. `Quarantine` refuses requests that crash the process twice, and `CrashBreaker` refuses all new
 * ones when it crashes often.
 */
export class EmbeddedEngine implements Engine {
  readonly #logger: Logger | undefined
  readonly #supervisor: Supervisor
  readonly #wantsSandbox: boolean
  readonly #quarantine: Quarantine
  readonly #breaker: CrashBreaker
  readonly #prepares: Prepares
  /** Generations that have not ended; each of them holds a slot. */
  readonly #generations = new Map<number, PendingGeneration>()
  #lastId = 0
  #info: EngineInfo | undefined
  /** True if equal requests get equal replies, which a GPU does not promise. Set by the first load. */
  #repeatsReplies = false
  #counts = {
    steps: 0,
    promptTokens: 0,
    completionTokens: 0,
    speculativeTokens: 0,
    cachedTokens: 0,
  }

  /** @throws StartError with one sentence that names the file and the cause */
  static async start(
    settings: EmbeddedSettings,
    options: EmbeddedEngineOptions = {},
  ): Promise<EmbeddedEngine> {
    const { chatTemplatePath } = settings
    const chatTemplate =
      chatTemplatePath === undefined ? undefined : await readChatTemplate(chatTemplatePath)
    const engine = new EmbeddedEngine({ ...settings, chatTemplate }, options)
    await engine.#supervisor.start()
    return engine
  }

  private constructor(
    settings: EmbeddedSettings & { chatTemplate: string | undefined },
    options: EmbeddedEngineOptions,
  ) {
    this.#logger = options.logger
    this.#wantsSandbox = settings.sandbox
    const now = options.now ?? (() => performance.now())
    this.#quarantine = new Quarantine(now)
    this.#breaker = new CrashBreaker(now)
    this.#supervisor = new Supervisor(
      { ...settings, ...findEngineBuild(settings.gpu) },
      { heartbeatTimeoutMs, modelLoadTimeoutMs, restartBackoffMaxMs, ...options },
      {
        onReady: (model) => this.#handleReady(model),
        onOtherModel: () => this.#failAll(),
        onMessage: (message) => this.#handleMessage(message),
        onExit: (exit) => this.#handleExit(exit),
        isBusy: () => this.#generations.size > 0,
      },
    )
    this.#prepares = new Prepares((message) => this.#supervisor.send(message), this.#quarantine)
  }

  get state(): EngineState {
    return this.#supervisor.state
  }

  get info(): EngineInfo {
    assert(this.#info !== undefined, 'the engine is not loaded yet')
    return this.#info
  }

  get pid(): number | undefined {
    return this.#supervisor.pid
  }

  stats(): EngineStats {
    const { restarts } = this.#supervisor
    return { slotsBusy: this.#generations.size, restarts, ...this.#counts }
  }

  async prepare(
    messages: readonly ChatMessage[],
    signal: AbortSignal,
    options: PrepareOptions = {},
  ): Promise<Prompt> {
    this.#breaker.requireClosed()
    return await this.#prepares.prepare(this.#nextId(), messages, signal, options)
  }

  async *generate(
    request: GenerationRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerationEvent> {
    const generation = new PendingGeneration(this.#nextId(), request)
    if (this.#quarantine.refuses(generation)) throw quarantinedError({ costsNothing: true })
    assert(this.#generations.size < this.info.slots, 'a generation without a slot')
    this.#generations.set(generation.id, generation)
    const onAbort = (): void => this.#abort(generation)
    signal.addEventListener('abort', onAbort)
    try {
      if (signal.aborted) onAbort()
      else this.#sendGeneration(generation)
      let event: GenerationEvent
      do {
        event = await generation.next()
        yield event
      } while (event.type !== 'finish')
    } finally {
      signal.removeEventListener('abort', onAbort)
      if (generation.state !== 'ended') {
        // The reader has stopped early. The slot is free only when the engine process confirms the end.
        this.#abort(generation)
        await generation.ended()
      }
    }
  }

  async close(): Promise<void> {
    const closing = this.#supervisor.close()
    this.#prepares.failAll(shuttingDown())
    for (const generation of this.#generations.values())
      generation.fail(shuttingDown({ costsNothing: this.#costsNothing(generation) }))
    this.#generations.clear()
    await closing
  }

  #nextId(): number {
    this.#lastId = (this.#lastId % 0x7fff_ffff) + 1
    return this.#lastId
  }

  #sendGeneration(generation: PendingGeneration): void {
    if (this.#supervisor.send(generation.message)) generation.state = 'sent'
  }

  #abort(generation: PendingGeneration): void {
    switch (generation.state) {
      case 'unsent':
        generation.finish('aborted', generation.completionTokens)
        this.#generations.delete(generation.id)
        break
      case 'sent':
      case 'running':
        // The engine process responds with `finish` and the tokens that were sampled until then.
        if (!generation.isAborting) this.#supervisor.send({ type: 'abort', id: generation.id })
        generation.isAborting = true
        break
      case 'ended':
    }
  }

  #handleReady({ kvBytes, availableBytes, sandbox, isOnGpu, ...facts }: EngineFacts): void {
    if (this.#info === undefined) {
      this.#repeatsReplies = !isOnGpu
      const memory = { kvBytes, availableBytes }
      this.#info = { ...facts, memory, sandbox: describeLayers(sandbox) }
      if (this.#wantsSandbox && missingLayers(sandbox).length > 0)
        this.#logger?.warn('the sandbox of the engine process is incomplete on this system', {
          sandbox: this.#info.sandbox,
        })
    }
    if (facts.kernelsDifference !== undefined)
      this.#logger?.warn(
        "our own kernels compute this model differently from llama.cpp's, which are used instead",
        { kernelsDifference: facts.kernelsDifference },
      )
    this.#prepares.handleReady()
    const isSame = facts.fingerprint === this.info.fingerprint
    for (const generation of this.#generations.values()) {
      // A different build may write a different reply.
      if (generation.isResumed && !isSame) this.#failUnrepeated(generation)
      else this.#sendGeneration(generation)
    }
  }

  /** Fails all generations, because the prompts and replies are those of the first model. */
  #failAll(): void {
    const text = 'The model file was replaced while the service ran. The service must be restarted.'
    for (const generation of this.#generations.values()) {
      const costsNothing = this.#costsNothing(generation)
      generation.fail(new ServiceError('engine_failed', text, { costsNothing }))
    }
    this.#generations.clear()
  }

  #handleMessage(message: ChildMessage): void {
    switch (message.type) {
      case 'prepared':
      case 'refused':
      case 'tooLong':
      case 'postponed':
      case 'cancelled':
        this.#prepares.handle(message, this.info.contextTokens)
        break
      case 'loading':
        this.#logger?.info('loading the model', { percent: Math.floor(message.share * 100) })
        break
      case 'step':
        this.#counts.steps += 1
        for (const event of message.events) this.#handleEvent(event)
        break
      case 'loaded':
      case 'failed':
      case 'heartbeat':
    }
  }

  #handleEvent(event: StepEvent): void {
    const generation = this.#generations.get(event.id)
    // An unknown generation has ended already, for example when this engine was closed.
    if (generation === undefined) return
    switch (event.type) {
      case 'started':
        generation.start(event.cachedTokens)
        this.#counts.promptTokens += generation.promptTokens - event.cachedTokens
        this.#counts.cachedTokens += event.cachedTokens
        break
      case 'delta':
        this.#appendDelta(generation, event)
        break
      case 'finish':
        if (!generation.finish(event.reason, event.completionTokens)) {
          this.#failUnrepeated(generation)
          break
        }
        this.#generations.delete(generation.id)
        // An aborted reply may not have reached what crashes the engine, nor may another choice of the request.
        if (event.reason === 'aborted') break
        this.#supervisor.noteSuccess()
        this.#quarantine.clear(generation, this.#generations.values())
        break
      case 'failed': {
        const text = 'The engine could not continue this request. Try again.'
        const costsNothing = this.#costsNothing(generation)
        this.#generations.delete(generation.id)
        generation.fail(new ServiceError('engine_failed', text, { costsNothing }))
        break
      }
      case 'cannotFit':
        this.#generations.delete(generation.id)
        generation.refuseFormat(event.tokensEnough, this.info.contextTokens)
    }
  }

  #appendDelta(generation: PendingGeneration, delta: ReplyPart): void {
    const newTokens = generation.append(delta)
    if (newTokens === undefined) {
      this.#supervisor.send({ type: 'abort', id: generation.id })
      this.#failUnrepeated(generation)
      return
    }
    this.#counts.completionTokens += newTokens
    // A step samples one token for each slot; further ones were accepted from speculation.
    this.#counts.speculativeTokens += Math.max(0, newTokens - 1)
  }

  #failUnrepeated(generation: PendingGeneration): void {
    this.#generations.delete(generation.id)
    generation.fail(
      new ServiceError(
        'engine_failed',
        'The engine stopped in the middle of the reply, and the next one writes another reply. Try again.',
      ),
    )
  }

  #handleExit(exit: ChildExit): void {
    this.#logger?.error('the engine process exited and is being restarted', {
      pid: exit.pid,
      error: new Error(exit.cause),
    })
    if (exit.fault !== undefined) this.#breaker.noteCrash()
    this.#quarantine.strike(this.#suspectsOf(exit))
    this.#prepares.handleExit()
    for (const generation of this.#generations.values()) this.#resolveAfterExit(generation, exit)
  }

  /** Returns the requests that the engine process was working on when it failed; all others only waited. */
  #suspectsOf({ fault }: ChildExit): (PendingPrepare | PendingGeneration)[] {
    // Every generation that was sent has a slot: the engine has no queue.
    const generations = [...this.#generations.values()].filter(({ state }) => state !== 'unsent')
    switch (fault) {
      case 'crash':
        return [...this.#prepares.inWork(), ...generations]
      case 'steps':
        return generations
      case 'messages':
        return this.#prepares.inWorkBetweenMessages()
      // Another request may have taken the memory, or another program.
      case 'memory':
      case undefined:
        return []
    }
  }

  /** Ends a generation that cannot continue or is in quarantine. Any other waits for the next engine process. */
  #resolveAfterExit(generation: PendingGeneration, exit: ChildExit): void {
    if (generation.isAborting) {
      generation.finish('aborted', generation.completionTokens)
    } else if (generation.state !== 'unsent' && this.#quarantine.refuses(generation)) {
      generation.fail(quarantinedError({ costsNothing: this.#costsNothing(generation) }))
    } else if (generation.state === 'running' && !this.#canResume(generation)) {
      const cause = new Error(exit.cause)
      const text = 'The engine stopped in the middle of the reply. Try again.'
      generation.fail(new ServiceError('engine_failed', text, { cause }))
    } else {
      if (generation.state === 'running') generation.rewind()
      else generation.state = 'unsent'
      return
    }
    this.#generations.delete(generation.id)
  }

  /** Returns true if no process has begun the prompt, neither for this generation nor for another choice. */
  #costsNothing(generation: PendingGeneration): boolean {
    const { prompt } = generation.message.request
    // All choices of a request have the same prompt object.
    return ![...this.#generations.values()].some(
      ({ hasBegun, message }) => hasBegun && message.request.prompt === prompt,
    )
  }

  #canResume({ isResumed, completionTokens }: PendingGeneration): boolean {
    // Before its first token, a reply has nothing that the next one could contradict.
    return !isResumed && (this.#repeatsReplies || completionTokens === 0)
  }
}
