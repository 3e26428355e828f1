import { shuttingDown, StartError } from '../../errors.ts'
import type { ChildMessage, EngineFacts, ParentMessage, StartFault } from './ipc.ts'
import {
  type ChildExit,
  type ChildStart,
  type WatchTimeouts,
  WatchedChild,
} from './watched-child.ts'

export type SupervisorTimeouts = WatchTimeouts & { readonly restartBackoffMaxMs: number }

type SupervisorListener = {
  onReady(model: EngineFacts): void
  /** Called when a process has loaded another model than the first one, just before it is ended. */
  onOtherModel(): void
  onMessage(message: ChildMessage): void
  onExit(exit: ChildExit): void
  /** Returns true while a generation has not ended. */
  isBusy(): boolean
}

type State = 'loading' | 'ready' | 'restarting' | 'closed'

const backoffStepMs = 250
/** A process that ran this long, or finished a generation, is not in a crash loop. */
const stableAfterMs = 10_000

/** Keeps one engine process running: starts it, watches its progress, and restarts it with backoff. */
export class Supervisor {
  #settings: ChildStart
  readonly #timeouts: SupervisorTimeouts
  readonly #listener: SupervisorListener
  #state: State = 'loading'
  #child: WatchedChild | undefined
  /** True once the current process has loaded the model. */
  #isLoaded = false
  /** Digest of the model of the first load. */
  #modelSha256: string | undefined
  #restarts = 0
  /** Exits since the last success. */
  #exitsInRow = 0
  #restartTimer: NodeJS.Timeout | undefined
  #startFault: StartFault = 'model'
  #firstLoad = Promise.withResolvers<void>()

  constructor(settings: ChildStart, timeouts: SupervisorTimeouts, listener: SupervisorListener) {
    this.#settings = settings
    this.#timeouts = timeouts
    this.#listener = listener
  }

  /** A process that was killed takes no messages any more, although it may not have ended yet. */
  get state(): State {
    return this.#state === 'ready' && this.#child?.isKilled === true ? 'restarting' : this.#state
  }

  get restarts(): number {
    return this.#restarts
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** @throws StartError when the first load fails; then no process is left running. */
  async start(): Promise<void> {
    this.#launch()
    await this.#firstLoad.promise
  }

  /**
   * Sends a message to the engine process. Returns false if the process is not ready; once it is, `onReady` is called.
   * @throws ServiceError shutting_down
   */
  send(message: ParentMessage): boolean {
    if (this.#state === 'closed') throw shuttingDown()
    if (this.state !== 'ready') return false
    this.#child?.send(message)
    return true
  }

  /** Resets the backoff after a finished generation. */
  noteSuccess(): void {
    this.#exitsInRow = 0
  }

  async close(): Promise<void> {
    this.#state = 'closed'
    clearTimeout(this.#restartTimer)
    await this.#child?.close()
  }

  #launch(): void {
    this.#isLoaded = false
    try {
      this.#child = new WatchedChild(this.#settings, this.#timeouts, {
        isBusy: () => this.#listener.isBusy(),
        onMessage: (message) => this.#handleMessage(message),
        onExit: (exit) => this.#handleExit(exit),
      })
    } catch (error) {
      // For example, the paths for the sandbox cannot be listed when the process has no free file descriptor.
      const cause = `it could not be started: ${error instanceof Error ? error.message : String(error)}`
      this.#handleExit({ pid: 0, fault: undefined, cause, livedMs: 0 })
    }
  }

  #handleMessage(message: ChildMessage): void {
    if (message.type === 'loaded') {
      if (this.#state === 'closed') return
      const { modelSha256, ...model } = message.model
      // Waiting requests have prompts of the first model's tokens, and tool calls are read in its form.
      this.#modelSha256 ??= modelSha256
      if (modelSha256 !== this.#modelSha256) {
        this.#listener.onOtherModel()
        const file = this.#settings.modelPath
        this.#child?.kill(`${file} has changed since the start. Restart the service to use it`)
        return
      }
      this.#state = 'ready'
      this.#isLoaded = true
      // Callers rely on these values, so the process after a restart must use the same ones.
      const { slots, contextTokens } = model
      this.#settings = { ...this.#settings, slots, contextTokens }
      this.#listener.onReady(model)
      this.#firstLoad.resolve()
    } else if (message.type === 'failed') {
      this.#startFault = message.fault
      this.#child?.kill(message.cause)
    } else {
      this.#listener.onMessage(message)
    }
  }

  #handleExit(exit: ChildExit): void {
    this.#child = undefined
    if (this.#state === 'closed') {
      this.#firstLoad.reject(new StartError('The engine was closed while it was loading.'))
      return
    }
    if (this.#state === 'loading') {
      this.#state = 'closed'
      this.#firstLoad.reject(new StartError(this.#startSentence(withoutFullStop(exit.cause))))
      return
    }
    this.#state = 'restarting'
    // A process that fails while it loads a large model may live long, too.
    if (this.#isLoaded && exit.livedMs >= stableAfterMs) this.#exitsInRow = 0
    this.#restartTimer = setTimeout(() => {
      this.#restarts += 1
      this.#launch()
    }, this.#backoffMs())
    this.#exitsInRow += 1
    this.#listener.onExit(exit)
  }

  #startSentence(cause: string): string {
    switch (this.#startFault) {
      case 'settings':
        return `${cause}.`
      case 'model':
        return `The model file ${this.#settings.modelPath} cannot be used: ${cause}.`
    }
  }

  /**
   * Returns the delay before a restart. After the first exit there is none. From the second exit on, it doubles each
   * time, up to a maximum. Jitter shortens it by up to 50 %.
   */
  #backoffMs(): number {
    if (this.#exitsInRow === 0) return 0
    const fullMs = Math.min(
      backoffStepMs * 2 ** this.#exitsInRow,
      this.#timeouts.restartBackoffMaxMs,
    )
    return fullMs * (1 - Math.random() / 2)
  }
}

function withoutFullStop(text: string): string {
  return text.replace(/(?<![.\s])[.\s]+$/, '')
}
