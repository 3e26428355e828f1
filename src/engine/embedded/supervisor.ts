import { StartError } from '../../errors.ts'
import type { ChildMessage, ModelFacts, ParentMessage, StartFault } from './ipc.ts'
import {
  type ChildDeath,
  type ChildStart,
  type WatchTimeouts,
  WatchedChild,
} from './watched-child.ts'

export type SupervisorTimeouts = WatchTimeouts & { readonly restartBackoffMaxMs: number }

export type SupervisorListener = {
  onReady(model: ModelFacts): void
  onMessage(message: ChildMessage): void
  onDeath(death: ChildDeath): void
  /** Whether an answer is being waited for. */
  isBusy(): boolean
}

type State = 'loading' | 'ready' | 'restarting' | 'closed'

const backoffStepMs = 250
/** Who lived this long, or finished a generation, is not in a loop of crashes. */
const stableAfterMs = 10_000

/** Keeps one engine process alive: starts it, watches that it moves, starts another when it dies. */
export class Supervisor {
  #settings: ChildStart
  readonly #timeouts: SupervisorTimeouts
  readonly #listener: SupervisorListener
  #state: State = 'loading'
  #child: WatchedChild | undefined
  #restarts = 0
  /** Deaths since something went well. */
  #deathsInRow = 0
  #restartTimer: NodeJS.Timeout | undefined
  #startFault: StartFault = 'model'
  #firstLoad = Promise.withResolvers<void>()

  constructor(settings: ChildStart, timeouts: SupervisorTimeouts, listener: SupervisorListener) {
    this.#settings = settings
    this.#timeouts = timeouts
    this.#listener = listener
  }

  get state(): State {
    return this.#state
  }

  get restarts(): number {
    return this.#restarts
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** @throws StartError when the first load fails; no process is left then. */
  async start(): Promise<void> {
    this.#launch()
    await this.#firstLoad.promise
  }

  send(message: ParentMessage): void {
    this.#child?.send(message)
  }

  /** Something was finished: the next death is a single one. */
  noteSuccess(): void {
    this.#deathsInRow = 0
  }

  async close(): Promise<void> {
    this.#state = 'closed'
    clearTimeout(this.#restartTimer)
    await this.#child?.close()
  }

  #launch(): void {
    this.#child = new WatchedChild(this.#settings, this.#timeouts, {
      isBusy: () => this.#listener.isBusy(),
      onMessage: (message) => this.#take(message),
      onExit: (death) => this.#bury(death),
    })
  }

  #take(message: ChildMessage): void {
    if (message.type === 'loaded') {
      if (this.#state === 'closed') return
      this.#state = 'ready'
      // What was chosen once is what callers were told: another process must do with it.
      const { slots, contextTokens } = message.model
      this.#settings = { ...this.#settings, slots, contextTokens }
      this.#listener.onReady(message.model)
      this.#firstLoad.resolve()
    } else if (message.type === 'failed') {
      this.#startFault = message.fault
      this.#child?.kill(message.cause)
    } else {
      this.#listener.onMessage(message)
    }
  }

  #bury(death: ChildDeath): void {
    this.#child = undefined
    if (this.#state === 'closed') {
      this.#firstLoad.reject(new StartError('The engine was closed while it was loading.'))
      return
    }
    if (this.#state === 'loading') {
      this.#state = 'closed'
      this.#firstLoad.reject(new StartError(this.#startSentence(withoutFullStop(death.cause))))
      return
    }
    this.#state = 'restarting'
    if (death.livedMs >= stableAfterMs) this.#deathsInRow = 0
    this.#restartTimer = setTimeout(() => {
      this.#restarts += 1
      this.#launch()
    }, this.#backoffMs())
    this.#deathsInRow += 1
    this.#listener.onDeath(death)
  }

  #startSentence(cause: string): string {
    switch (this.#startFault) {
      case 'settings':
        return `${cause}.`
      case 'model':
        return `The model file ${this.#settings.modelPath} cannot be used: ${cause}.`
    }
  }

  /** The first restart is immediate; then doubling, with up to a half taken off at random. */
  #backoffMs(): number {
    if (this.#deathsInRow === 0) return 0
    const fullMs = Math.min(
      backoffStepMs * 2 ** this.#deathsInRow,
      this.#timeouts.restartBackoffMaxMs,
    )
    return fullMs * (1 - Math.random() / 2)
  }
}

function withoutFullStop(text: string): string {
  return text.replace(/[.\s]+$/, '')
}
