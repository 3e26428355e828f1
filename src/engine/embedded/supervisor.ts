import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartError } from '../../errors.ts'
import {
  type ChildMessage,
  type ChildSettings,
  type ModelFacts,
  type ParentMessage,
  parseChildMessage,
  type Progress,
} from './ipc.ts'

export type SupervisorTimeouts = {
  readonly heartbeatTimeoutMs: number
  readonly modelLoadTimeoutMs: number
  readonly restartBackoffMaxMs: number
}

/** `ownFault`: it crashed or hung; not so when somebody outside killed it. */
export type ChildDeath = {
  readonly pid: number
  readonly ownFault: boolean
  readonly cause: string
}

export type SupervisorListener = {
  onReady(model: ModelFacts): void
  onMessage(message: ChildMessage): void
  onDeath(death: ChildDeath): void
  /** Whether an answer is being waited for. */
  isBusy(): boolean
}

type State = 'loading' | 'ready' | 'restarting' | 'closed'

const crashSignals: readonly string[] = [
  'SIGSEGV',
  'SIGABRT',
  'SIGBUS',
  'SIGILL',
  'SIGFPE',
  'SIGTRAP',
]
const stderrCharsMax = 2000
const backoffStepMs = 250
/** Who lived this long, or finished a generation, is not in a loop of crashes. */
const stableAfterMs = 10_000
const closeGraceMs = 3000

/** Keeps one engine process alive: starts it, watches that it moves, starts another when it dies. */
export class Supervisor {
  readonly #settings: Omit<ChildSettings, 'parentPid' | 'heartbeatMs'>
  readonly #timeouts: SupervisorTimeouts
  readonly #listener: SupervisorListener
  #state: State = 'loading'
  #child: WatchedChild | undefined
  #restarts = 0
  /** Deaths since something went well. */
  #deathsInRow = 0
  #restartTimer: NodeJS.Timeout | undefined
  #firstLoad = Promise.withResolvers<void>()

  constructor(
    settings: Omit<ChildSettings, 'parentPid' | 'heartbeatMs'>,
    timeouts: SupervisorTimeouts,
    listener: SupervisorListener,
  ) {
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
      this.#listener.onReady(message.model)
      this.#firstLoad.resolve()
    } else if (message.type === 'failed') {
      this.#child?.kill(message.cause)
    } else {
      this.#listener.onMessage(message)
    }
  }

  #bury(death: ChildDeath & { livedMs: number }): void {
    this.#child = undefined
    if (this.#state === 'closed') {
      this.#firstLoad.reject(new StartError('The engine was closed while it was loading.'))
      return
    }
    if (this.#state === 'loading') {
      this.#state = 'closed'
      const { modelPath } = this.#settings
      this.#firstLoad.reject(
        new StartError(
          `The model file ${modelPath} cannot be used: ${withoutFullStop(death.cause)}.`,
        ),
      )
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

type WatchedChildListener = {
  isBusy(): boolean
  onMessage(message: ChildMessage): void
  onExit(death: ChildDeath & { livedMs: number }): void
}

/** One engine process from its birth to its death. */
class WatchedChild {
  readonly #process: ChildProcess
  readonly #timeouts: SupervisorTimeouts
  readonly #listener: WatchedChildListener
  readonly #startedMs = performance.now()
  readonly #exited = Promise.withResolvers<void>()
  readonly #watch: NodeJS.Timeout
  readonly #loadTimer: NodeJS.Timeout
  #isLoaded = false
  #stderr = ''
  #killedBecause: string | undefined
  #heardMs = performance.now()
  #movedMs = performance.now()
  #watchedMs = performance.now()
  #progress = -1

  constructor(
    settings: Omit<ChildSettings, 'parentPid' | 'heartbeatMs'>,
    timeouts: SupervisorTimeouts,
    listener: WatchedChildListener,
  ) {
    this.#timeouts = timeouts
    this.#listener = listener
    const heartbeatMs = Math.max(20, Math.floor(timeouts.heartbeatTimeoutMs / 4))
    this.#process = forkChild(settings.librariesPath)
    this.#process.on('message', (message) => this.#hear(message))
    this.#process.once('exit', (code, signal) => this.#end(code, signal))
    this.#process.on('error', (error) => {
      // A process that never started has no exit.
      if (this.#process.pid === undefined) this.#end(null, null, error.message)
    })
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-stderrCharsMax)
    })
    this.#watch = setInterval(() => this.#look(heartbeatMs), heartbeatMs).unref()
    this.#loadTimer = setTimeout(
      () => this.kill(`it was not loaded after ${timeouts.modelLoadTimeoutMs / 1000} s`),
      timeouts.modelLoadTimeoutMs,
    ).unref()
    this.send({ type: 'start', settings: { ...settings, parentPid: process.pid, heartbeatMs } })
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  send(message: ParentMessage): void {
    // A message to a dying child is lost; its death is reported by `exit`.
    if (this.#process.connected) this.#process.send(message, () => {})
  }

  kill(because: string): void {
    this.#killedBecause ??= because
    this.#process.kill('SIGKILL')
  }

  async close(): Promise<void> {
    this.send({ type: 'close' })
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), this.#isLoaded ? closeGraceMs : 0)
    await this.#exited.promise
    clearTimeout(timer)
  }

  #hear(received: unknown): void {
    if (this.#killedBecause !== undefined) return
    this.#heardMs = performance.now()
    const message = parseChildMessage(received)
    if (message === undefined) {
      this.kill('it sent a message that makes no sense')
      return
    }
    if (message.type === 'loaded') {
      this.#isLoaded = true
      this.#movedMs = this.#heardMs
      clearTimeout(this.#loadTimer)
    }
    if (message.type === 'heartbeat') this.#noteProgress(message.progress)
    if (message.type === 'step') this.#movedMs = this.#heardMs
    this.#listener.onMessage(message)
  }

  #noteProgress(progress: Progress): void {
    const isIdle = progress.slotsBusy === 0 && !this.#listener.isBusy()
    if (isIdle || progress.progress !== this.#progress) this.#movedMs = this.#heardMs
    this.#progress = progress.progress
  }

  #look(intervalMs: number): void {
    const nowMs = performance.now()
    const lateMs = nowMs - this.#watchedMs - intervalMs
    this.#watchedMs = nowMs
    if (lateMs > intervalMs) {
      // This process itself stood still, so nothing is known of the other.
      this.#heardMs = nowMs
      this.#movedMs = nowMs
    }
    if (!this.#isLoaded) return
    const limitMs = this.#timeouts.heartbeatTimeoutMs
    if (nowMs - this.#heardMs > limitMs) this.kill(`it was silent for ${limitMs} ms`)
    else if (nowMs - this.#movedMs > limitMs) this.kill(`it made no progress for ${limitMs} ms`)
  }

  #end(code: number | null, signal: string | null, error?: string): void {
    clearInterval(this.#watch)
    clearTimeout(this.#loadTimer)
    this.#exited.resolve()
    const crashed = signal === null ? code !== 0 : crashSignals.includes(signal)
    const words = [signal ?? `exit code ${code}`, this.#stderr.trim().split('\n').at(-1)]
    this.#listener.onExit({
      pid: this.#process.pid ?? 0,
      ownFault: crashed || this.#killedBecause !== undefined,
      cause:
        this.#killedBecause ??
        error ??
        `the engine process died (${words.filter(Boolean).join(': ')})`,
      livedMs: performance.now() - this.#startedMs,
    })
  }
}

function forkChild(librariesPath: string): ChildProcess {
  // The child is compiled like this file: .ts when run from the sources, .js from dist/.
  const entry = new URL(`./child/main${extname(import.meta.url)}`, import.meta.url)
  return fork(fileURLToPath(entry), {
    serialization: 'advanced',
    execArgv: [],
    // Nothing of the service's environment, least of all its secrets.
    env: { LD_LIBRARY_PATH: librariesPath },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}

function withoutFullStop(text: string): string {
  return text.replace(/[.\s]+$/, '')
}
