import { type ChildProcess, fork } from 'node:child_process'
import { entryFile } from '../../paths.ts'
import {
  type ChildMessage,
  type ChildSettings,
  type ParentMessage,
  parseChildMessage,
  type Progress,
} from './ipc.ts'

export type ChildStart = Omit<ChildSettings, 'parentPid' | 'heartbeatMs'>

export type WatchTimeouts = {
  readonly heartbeatTimeoutMs: number
  readonly modelLoadTimeoutMs: number
}

export type ChildExit = {
  readonly pid: number
  /** True after a crash or a hang; false when a signal from outside ended the process. */
  readonly isOwnFault: boolean
  readonly cause: string
  readonly livedMs: number
}

const crashSignals: readonly string[] = [
  'SIGSEGV',
  'SIGABRT',
  'SIGBUS',
  'SIGILL',
  'SIGFPE',
  'SIGTRAP',
]
const stderrCharsMax = 2000
const closeGraceMs = 3000

type WatchedChildListener = {
  isBusy(): boolean
  onMessage(message: ChildMessage): void
  onExit(exit: ChildExit): void
}

/** One engine process, killed when it stops making progress. */
export class WatchedChild {
  readonly #process: ChildProcess
  readonly #timeouts: WatchTimeouts
  readonly #listener: WatchedChildListener
  readonly #startedMs = performance.now()
  readonly #exited = Promise.withResolvers<void>()
  readonly #watch: NodeJS.Timeout
  readonly #loadTimer: NodeJS.Timeout
  #isLoaded = false
  #stderr = ''
  #killedBecause: string | undefined
  #hasExited = false
  /** Time of its last progress, or of its last heartbeat while it was idle. */
  #progressedMs = performance.now()
  #checkedMs = performance.now()
  #progress = -1

  constructor(settings: ChildStart, timeouts: WatchTimeouts, listener: WatchedChildListener) {
    this.#timeouts = timeouts
    this.#listener = listener
    const heartbeatMs = Math.max(20, Math.floor(timeouts.heartbeatTimeoutMs / 4))
    this.#process = forkChild(settings)
    this.#process.on('message', (message) => this.#handleMessage(message))
    this.#process.once('exit', (code, signal) => this.#handleExit(code, signal))
    this.#process.on('error', (error) => {
      // A process that could not be started has no `exit` event.
      if (this.#process.pid === undefined) this.#handleExit(null, null, error.message)
    })
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-stderrCharsMax)
    })
    this.#watch = setInterval(() => this.#checkProgress(heartbeatMs), heartbeatMs).unref()
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
    // A message to a child that is exiting is lost; `exit` follows.
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

  #handleMessage(received: unknown): void {
    // The rest of the pipe may arrive after the exit: its generations have been failed or resent.
    if (this.#killedBecause !== undefined || this.#hasExited) return
    const message = parseChildMessage(received)
    if (message === undefined) {
      this.kill('it sent an invalid message')
      return
    }
    if (message.type === 'loaded') {
      this.#isLoaded = true
      this.#progressedMs = performance.now()
      clearTimeout(this.#loadTimer)
    }
    if (message.type === 'heartbeat') this.#noteProgress(message.progress)
    if (message.type === 'step') this.#progressedMs = performance.now()
    this.#listener.onMessage(message)
  }

  #noteProgress(progress: Progress): void {
    const isIdle = progress.slotsBusy === 0 && !this.#listener.isBusy()
    if (isIdle || progress.progress !== this.#progress) this.#progressedMs = performance.now()
    this.#progress = progress.progress
  }

  #checkProgress(intervalMs: number): void {
    const nowMs = performance.now()
    const lateMs = nowMs - this.#checkedMs - intervalMs
    this.#checkedMs = nowMs
    // This process itself was stalled, and the child's heartbeats are still unread.
    if (lateMs > intervalMs) this.#progressedMs = nowMs
    if (!this.#isLoaded) return
    const limitMs = this.#timeouts.heartbeatTimeoutMs
    if (nowMs - this.#progressedMs > limitMs) this.kill(`it made no progress for ${limitMs} ms`)
  }

  #handleExit(code: number | null, signal: string | null, error?: string): void {
    this.#hasExited = true
    clearInterval(this.#watch)
    clearTimeout(this.#loadTimer)
    this.#exited.resolve()
    const crashed = signal === null ? code !== 0 : crashSignals.includes(signal)
    const words = [signal ?? `exit code ${code}`, this.#stderr.trim().split('\n').at(-1)]
    this.#listener.onExit({
      pid: this.#process.pid ?? 0,
      isOwnFault: crashed || this.#killedBecause !== undefined,
      cause:
        this.#killedBecause ??
        error ??
        `the engine process died (${words.filter(Boolean).join(': ')})`,
      livedMs: performance.now() - this.#startedMs,
    })
  }
}

function forkChild({ librariesPath, gpu }: ChildStart): ChildProcess {
  return fork(entryFile('engine/embedded/child/main'), {
    serialization: 'advanced',
    // Its messages are small and short-lived: V8's default young generation would only add memory.
    execArgv: ['--max-semi-space-size=2'],
    env: {
      ...allocatorSettings,
      ...(gpu === undefined ? { LD_LIBRARY_PATH: librariesPath } : gpuEnvironment(librariesPath)),
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}

/**
 * Settings of glibc's malloc. Two arenas let threads reuse each other's freed memory. The fixed threshold
 * gives each copy of a conversation, some megabytes, a mapping of its own, which the system gets back when the
 * copy is freed; by default glibc raises the threshold above such sizes.
 */
const allocatorSettings = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: String(1024 * 1024),
}

/** Variables that GPU drivers read. The child gets no others from the service, which has secrets in them. */
const driverVariables = [
  'CUDA_VISIBLE_DEVICES',
  'GGML_VK_VISIBLE_DEVICES',
  'VK_DRIVER_FILES',
  'VK_ICD_FILENAMES',
]

/** Keeps the service's library path: the package lacks the CUDA runtime. */
function gpuEnvironment(librariesPath: string): Record<string, string> {
  const kept = driverVariables.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  const paths = [librariesPath, process.env['LD_LIBRARY_PATH']].filter(Boolean)
  return { ...Object.fromEntries(kept), LD_LIBRARY_PATH: paths.join(':') }
}
