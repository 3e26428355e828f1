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

export type ChildDeath = {
  readonly pid: number
  /** It crashed or hung; not so when somebody outside killed it. */
  readonly ownFault: boolean
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
  onExit(death: ChildDeath): void
}

/** One engine process from its birth to its death. */
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
  /** When it last said that it is idle, or further than before. */
  #movedMs = performance.now()
  #watchedMs = performance.now()
  #progress = -1

  constructor(settings: ChildStart, timeouts: WatchTimeouts, listener: WatchedChildListener) {
    this.#timeouts = timeouts
    this.#listener = listener
    const heartbeatMs = Math.max(20, Math.floor(timeouts.heartbeatTimeoutMs / 4))
    this.#process = forkChild(settings)
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
    const message = parseChildMessage(received)
    if (message === undefined) {
      this.kill('it sent a message that makes no sense')
      return
    }
    if (message.type === 'loaded') {
      this.#isLoaded = true
      this.#movedMs = performance.now()
      clearTimeout(this.#loadTimer)
    }
    if (message.type === 'heartbeat') this.#noteProgress(message.progress)
    if (message.type === 'step') this.#movedMs = performance.now()
    this.#listener.onMessage(message)
  }

  #noteProgress(progress: Progress): void {
    const isIdle = progress.slotsBusy === 0 && !this.#listener.isBusy()
    if (isIdle || progress.progress !== this.#progress) this.#movedMs = performance.now()
    this.#progress = progress.progress
  }

  #look(intervalMs: number): void {
    const nowMs = performance.now()
    const lateMs = nowMs - this.#watchedMs - intervalMs
    this.#watchedMs = nowMs
    if (lateMs > intervalMs) {
      // This process itself stood still, so nothing is known of the other.
      this.#movedMs = nowMs
    }
    if (!this.#isLoaded) return
    const limitMs = this.#timeouts.heartbeatTimeoutMs
    if (nowMs - this.#movedMs > limitMs) this.kill(`it stood still for ${limitMs} ms`)
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

function forkChild({ librariesPath, gpu }: ChildStart): ChildProcess {
  return fork(entryFile('engine/embedded/child/main'), {
    serialization: 'advanced',
    // Its messages are short-lived and small: a young generation of the default size only adds memory.
    execArgv: ['--max-semi-space-size=2'],
    env: {
      ...allocatorSettings,
      ...(gpu === undefined ? { LD_LIBRARY_PATH: librariesPath } : gpuEnvironment(librariesPath)),
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}

/**
 * Node's threads share what they free, and a copy of a conversation, megabytes that come and go, is a mapping of
 * its own: the system has it back at once. Else glibc makes its threshold larger than any of them.
 */
const allocatorSettings = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: String(1024 * 1024),
}

/** What GPU drivers go by; nothing else of the service's environment, least of all its secrets. */
const driverVariables = [
  'CUDA_VISIBLE_DEVICES',
  'GGML_VK_VISIBLE_DEVICES',
  'VK_DRIVER_FILES',
  'VK_ICD_FILENAMES',
]

/** The CUDA runtime is not in the package: it is found where the service finds it. */
function gpuEnvironment(librariesPath: string): Record<string, string> {
  const kept = driverVariables.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  const paths = [librariesPath, process.env['LD_LIBRARY_PATH']].filter(Boolean)
  return { ...Object.fromEntries(kept), LD_LIBRARY_PATH: paths.join(':') }
}
