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
  Prompt,
} from '../engine.ts'
import type { ReplyFormat } from '../reply-format.ts'
import { findEngineBuild } from './engine-build.ts'
import type { ChildMessage, ModelFacts, StepEvent } from './ipc.ts'
import { PendingGeneration } from './pending-generation.ts'
import { PendingPrepare } from './pending-prepare.ts'
import { Quarantine } from './quarantine.ts'
import { Supervisor, type SupervisorTimeouts } from './supervisor.ts'
import type { ChildExit } from './watched-child.ts'

export type EmbeddedEngineOptions = Partial<SupervisorTimeouts> & {
  readonly logger?: Logger
  readonly now?: () => number
}

/**
 * Runs llama.cpp in a supervised process of its own. When that process crashes or hangs, the next one gets
 * every request again that had not started; a generation that had started fails with `engine_failed`,
 * because its caller may have read a part of the reply. `Quarantine` refuses requests that crash the process.
 */
export class EmbeddedEngine implements Engine {
  readonly #logger: Logger | undefined
  readonly #supervisor: Supervisor
  readonly #quarantine: Quarantine
  readonly #prepares = new Map<number, PendingPrepare>()
  /** Generations that have not ended; each of them holds a slot of its caller's queue. */
  readonly #generations = new Map<number, PendingGeneration>()
  #lastId = 0
  #info: EngineInfo | undefined
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
    const engine = new EmbeddedEngine(settings, options)
    await engine.#supervisor.start()
    return engine
  }

  private constructor(settings: EmbeddedSettings, options: EmbeddedEngineOptions) {
    this.#logger = options.logger
    this.#quarantine = new Quarantine(options.now ?? Date.now)
    this.#supervisor = new Supervisor(
      { ...settings, ...findEngineBuild(settings.gpu) },
      { heartbeatTimeoutMs, modelLoadTimeoutMs, restartBackoffMaxMs, ...options },
      {
        onReady: (model) => this.#handleReady(model),
        onMessage: (message) => this.#handleMessage(message),
        onExit: (exit) => this.#handleExit(exit),
        isBusy: () => this.#generations.size > 0,
      },
    )
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
    format?: ReplyFormat,
  ): Promise<Prompt> {
    signal.throwIfAborted()
    const prepare = new PendingPrepare(this.#nextId(), messages, format)
    if (this.#quarantine.refuses(prepare)) throw quarantinedError()
    this.#prepares.set(prepare.message.id, prepare)
    const onAbort = (): void => prepare.fail(signal.reason)
    signal.addEventListener('abort', onAbort)
    try {
      this.#sendPrepare(prepare)
      return await prepare.prompt
    } finally {
      signal.removeEventListener('abort', onAbort)
      this.#prepares.delete(prepare.message.id)
    }
  }

  async *generate(
    request: GenerationRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerationEvent> {
    const generation = new PendingGeneration(this.#nextId(), request)
    if (this.#quarantine.refuses(generation)) throw quarantinedError()
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
    for (const prepare of this.#prepares.values()) prepare.fail(shuttingDown())
    for (const generation of this.#generations.values()) generation.fail(shuttingDown())
    this.#generations.clear()
    await closing
  }

  #nextId(): number {
    this.#lastId = (this.#lastId % 0x7fff_ffff) + 1
    return this.#lastId
  }

  #sendPrepare(prepare: PendingPrepare): void {
    prepare.isSent = this.#supervisor.send(prepare.message)
  }

  #sendGeneration(generation: PendingGeneration): void {
    if (this.#supervisor.send(generation.message)) generation.state = 'sent'
  }

  #abort(generation: PendingGeneration): void {
    switch (generation.state) {
      case 'unsent':
        generation.finish('aborted', 0)
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

  #handleReady({ kvBytes, availableBytes, ...facts }: ModelFacts): void {
    this.#info ??= { ...facts, memory: { kvBytes, availableBytes } }
    for (const prepare of this.#prepares.values()) this.#sendPrepare(prepare)
    for (const generation of this.#generations.values()) this.#sendGeneration(generation)
  }

  #handleMessage(message: ChildMessage): void {
    switch (message.type) {
      case 'prepared':
        this.#handlePrepared(message.id, message.prompt)
        break
      case 'refused':
        this.#prepares.get(message.id)?.refuse(message)
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

  #handlePrepared(id: number, prompt: Prompt): void {
    const prepare = this.#prepares.get(id)
    if (prepare === undefined) return
    prepare.resolve(prompt)
    this.#quarantine.clear(prepare)
  }

  #handleEvent(event: StepEvent): void {
    const generation = this.#generations.get(event.id)
    // Unknown: it has ended already, when this engine was closed.
    if (generation === undefined) return
    switch (event.type) {
      case 'started':
        generation.start(event.cachedTokens)
        this.#counts.promptTokens += generation.promptTokens - event.cachedTokens
        this.#counts.cachedTokens += event.cachedTokens
        break
      case 'delta':
        generation.append(event)
        this.#counts.completionTokens += event.tokens
        // A step samples one token for each slot; further ones were accepted from speculation.
        this.#counts.speculativeTokens += Math.max(0, event.tokens - 1)
        break
      case 'finish':
        this.#generations.delete(generation.id)
        generation.finish(event.reason, event.completionTokens)
        this.#supervisor.noteSuccess()
        this.#quarantine.clear(generation)
        break
      case 'failed':
        this.#generations.delete(generation.id)
        generation.fail(
          new ServiceError(
            'engine_failed',
            'The engine could not continue this request. Try again.',
          ),
        )
    }
  }

  #handleExit(exit: ChildExit): void {
    this.#logger?.error('the engine process exited and is being restarted', {
      pid: exit.pid,
      error: new Error(exit.cause),
    })
    if (exit.isOwnFault) this.#strikeSuspects()
    for (const prepare of this.#prepares.values()) {
      prepare.isSent = false
      if (this.#quarantine.refuses(prepare)) prepare.fail(quarantinedError())
    }
    for (const generation of this.#generations.values()) this.#resolveAfterExit(generation, exit)
  }

  /** Strikes everything that the engine process had when it crashed. */
  #strikeSuspects(): void {
    const prepares = [...this.#prepares.values()].filter((prepare) => prepare.isSent)
    const generations = [...this.#generations.values()].filter(({ state }) => state !== 'unsent')
    this.#quarantine.strike([...prepares, ...generations])
  }

  /** Ends a generation that had started or is in quarantine; any other waits for the next engine process. */
  #resolveAfterExit(generation: PendingGeneration, exit: ChildExit): void {
    if (generation.isAborting) {
      generation.finish('aborted', generation.completionTokens)
    } else if (generation.state === 'running') {
      const cause = new Error(exit.cause)
      const text = 'The engine stopped in the middle of the reply. Try again.'
      generation.fail(new ServiceError('engine_failed', text, { cause }))
    } else if (generation.state === 'sent' && this.#quarantine.refuses(generation)) {
      generation.fail(quarantinedError())
    } else {
      generation.state = 'unsent'
      return
    }
    this.#generations.delete(generation.id)
  }
}

function quarantinedError(): ServiceError {
  return new ServiceError(
    'engine_failed',
    'The engine stopped twice while it worked on this request, so it is refused for some minutes. Change the request, or try again later.',
  )
}
