import { type ChildProcess, spawn } from 'node:child_process'
import { Duplex } from 'node:stream'
import { entryFile } from '../../paths.ts'
import { MessageChannel } from './channel/message-channel.ts'
import { MemoryKills } from './crashes/memory-kills.ts'
import {
  channelDescriptor,
  type ChildMessage,
  type ChildSettings,
  type ParentMessage,
  parseChildMessage,
  type Progress,
} from './ipc.ts'
import { loadLimitMs } from './load-limit.ts'
import { launchOf } from './sandbox/launch.ts'

export type ChildStart = Omit<ChildSettings, 'parentPid' | 'heartbeatMs'>

export type WatchTimeouts = {
  readonly heartbeatTimeoutMs: number
  /** Time limit for loading the smallest file; larger files get more time. */
  readonly modelLoadTimeoutMs: number
}

export type ChildExit = {
  readonly pid: number
  readonly fault: ChildFault | undefined
  readonly cause: string
  readonly livedMs: number
}

/**
 * Fault that ended a child. `crash`: it died of a fault of its own, exited with an error, failed to load, or sent an
 * invalid message. `steps`: its slots made no progress, but it sent heartbeats. `messages`: it sent no heartbeats.
 * `memory`: the kernel killed it for lack of memory. The fault is undefined for a child that another signal from outside
 * ended.
 */
type ChildFault = 'crash' | 'steps' | 'messages' | 'memory'

const crashSignals: readonly string[] = [
  'SIGSEGV',
  'SIGABRT',
  'SIGBUS',
  'SIGILL',
  'SIGFPE',
  'SIGTRAP',
]
const stderrCharsMax = 2000
/** Largest message that a child may send. The prompt of the largest request, with token texts, takes about 16 MB. */
const messageBytesMax = 64 * 1024 * 1024
const closeGraceMs = 3000
const killGraceMs = 5000
const memoryText =
  'the kernel has just killed a process because memory was short; use a smaller model, fewer slots or a shorter context, or raise the memory limit'

type WatchedChildListener = {
  isBusy(): boolean
  onMessage(message: ChildMessage): void
  onExit(exit: ChildExit): void
}

/** One engine process, killed when it stops making progress. */
export class WatchedChild {
  readonly #process: ChildProcess
  readonly #channel: MessageChannel | undefined
  readonly #timeouts: WatchTimeouts
  readonly #listener: WatchedChildListener
  readonly #startedMs = performance.now()
  readonly #memoryKills = new MemoryKills()
  readonly #exited = Promise.withResolvers<void>()
  readonly #watch: NodeJS.Timeout
  readonly #loadTimer: NodeJS.Timeout
  #isLoaded = false
  #stderr = ''
  #killedBecause: string | undefined
  #fault: ChildFault = 'crash'
  #hasExited = false
  /** Time of the child's last progress. Each heartbeat of an idle child counts as progress. */
  #progressedMs = performance.now()
  #heartbeatAtMs = performance.now()
  #checkedMs = performance.now()
  #progress = -1

  constructor(settings: ChildStart, timeouts: WatchTimeouts, listener: WatchedChildListener) {
    this.#timeouts = timeouts
    this.#listener = listener
    const heartbeatMs = Math.max(20, Math.floor(timeouts.heartbeatTimeoutMs / 4))
    this.#process = startChild(settings)
    const stream = this.#process.stdio?.[channelDescriptor]
    // A process that could not be started has no streams.
    if (stream instanceof Duplex)
      this.#channel = new MessageChannel(stream, messageBytesMax, {
        onMessage: (message) => this.#handleMessage(message),
        onFault: (cause) => this.kill(cause),
      })
    this.#process.once('exit', (code, signal) => this.#handleExit(code, signal))
    this.#process.on('error', (error) => {
      // A process that could not be started has no `exit` event.
      if (this.#process.pid === undefined) this.#handleExit(null, null, error.message)
    })
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-stderrCharsMax)
    })
    this.#watch = setInterval(() => this.#checkProgress(heartbeatMs), heartbeatMs).unref()
    const limitMs = loadLimitMs(settings.modelPath, timeouts.modelLoadTimeoutMs)
    this.#loadTimer = setTimeout(
      () => this.kill(`it was not loaded after ${limitMs / 1000} s`),
      limitMs,
    ).unref()
    this.send({ type: 'start', settings: { ...settings, parentPid: process.pid, heartbeatMs } })
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  /** True from a kill on. The `exit` event follows, later if the system cannot end the process at once. */
  get isKilled(): boolean {
    return this.#killedBecause !== undefined
  }

  send(message: ParentMessage): void {
    // A message to a child that is exiting is lost. The `exit` event follows.
    this.#channel?.send(message)
  }

  kill(because: string): void {
    this.#killedBecause ??= because
    this.#process.kill('SIGKILL')
  }

  async close(): Promise<void> {
    this.send({ type: 'close' })
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), this.#isLoaded ? closeGraceMs : 0)
    // A process in a system call that hangs, such as one of a driver, is left behind.
    const end = setTimeout(() => this.#exited.resolve(), closeGraceMs + killGraceMs)
    await this.#exited.promise
    clearTimeout(timer)
    clearTimeout(end)
  }

  #handleMessage(received: unknown): void {
    // Messages may still arrive after the exit, but their generations have already been failed or resent.
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
    this.#heartbeatAtMs = performance.now()
    const isIdle = progress.slotsBusy === 0 && !this.#listener.isBusy()
    if (isIdle || progress.progress !== this.#progress) this.#progressedMs = performance.now()
    this.#progress = progress.progress
  }

  #checkProgress(intervalMs: number): void {
    const nowMs = performance.now()
    const lateMs = nowMs - this.#checkedMs - intervalMs
    this.#checkedMs = nowMs
    this.#memoryKills.note()
    // After a late check, this process itself was stalled, and the child's heartbeats may still be unread.
    if (lateMs > intervalMs) this.#progressedMs = nowMs
    if (!this.#isLoaded) return
    const limitMs = this.#timeouts.heartbeatTimeoutMs
    if (nowMs - this.#progressedMs <= limitMs) return
    this.#fault = nowMs - this.#heartbeatAtMs > limitMs / 2 ? 'messages' : 'steps'
    this.kill(`it made no progress for ${limitMs} ms`)
  }

  #handleExit(code: number | null, signal: string | null, error?: string): void {
    this.#hasExited = true
    clearInterval(this.#watch)
    clearTimeout(this.#loadTimer)
    this.#exited.resolve()
    const crashed = signal === null ? code !== 0 : crashSignals.includes(signal)
    const isKilled = this.#killedBecause !== undefined
    const isForMemory = !isKilled && signal === 'SIGKILL' && this.#memoryKills.hasNew
    const words = [
      signal ?? `exit code ${code}`,
      isForMemory ? memoryText : this.#stderr.trim().split('\n').at(-1),
    ]
    this.#listener.onExit({
      pid: this.#process.pid ?? 0,
      fault: isForMemory ? 'memory' : crashed || isKilled ? this.#fault : undefined,
      cause:
        this.#killedBecause ??
        error ??
        `the engine process died (${words.filter(Boolean).join(': ')})`,
      livedMs: performance.now() - this.#startedMs,
    })
  }
}

function startChild(settings: ChildStart): ChildProcess {
  const { librariesPath, gpu } = settings
  // The child's messages are small and short-lived: V8's default young generation would only add memory.
  const { execPath, execArgv } = launchOf(settings, ['--max-semi-space-size=2'])
  return spawn(execPath, [...execArgv, entryFile('engine/embedded/child/main')], {
    env: {
      ...allocatorSettings,
      ...(gpu === undefined ? { LD_LIBRARY_PATH: librariesPath } : gpuEnvironment(librariesPath)),
    },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
}

/**
 * Settings of glibc's malloc. Two arenas let threads reuse each other's freed memory. A copy of a conversation takes
 * some megabytes. The fixed threshold gives each copy its own mapping, which goes back to the system when the copy is
 * freed. By default glibc raises the threshold above such sizes.
 */
const allocatorSettings = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: String(1024 * 1024),
}

/**
 * Environment variables that GPU drivers read. The child gets these and the library path, but no other variables of
 * the service, because some of those hold secrets.
 */
const driverVariables = [
  'CUDA_VISIBLE_DEVICES',
  'GGML_VK_VISIBLE_DEVICES',
  'VK_DRIVER_FILES',
  'VK_ICD_FILENAMES',
]

/** Keeps the service's library path: our package lacks the CUDA runtime, which may be on that path. */
function gpuEnvironment(librariesPath: string): Record<string, string> {
  const kept = driverVariables.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  const paths = [librariesPath, process.env['LD_LIBRARY_PATH']].filter(Boolean)
  return { ...Object.fromEntries(kept), LD_LIBRARY_PATH: paths.join(':') }
}
