import { Worker } from 'node:worker_threads'
import {
  prepareCancelMs,
  prepareHeapMb,
  prepareIdleMs,
  prepareMeasureMs,
  prepareTimeoutMs,
} from '../../../../limits.ts'
import { entryFile } from '../../../../paths.ts'
import { workerCpuMs } from '../processor-time.ts'
import type { TemplateSource } from '../prompt/prompt-pieces.ts'
import { causeOf } from './refusal.ts'
import {
  controlFields,
  type Refusal,
  type ThreadData,
  type ThreadJob,
  type ThreadReply,
} from './thread-messages.ts'

type Reply = (reply: ThreadReply) => void
/** `job` is called when its turn comes. It returns undefined if an earlier job has already done its work. */
type Queued = {
  readonly id: number
  readonly job: () => ThreadJob | undefined
  readonly reply: Reply
}

/**
 * The thread that compiles schemas and renders conversations, one job after the other. The first job starts it. It is
 * ended if it does not start in time, if a job takes too long, if a cancelled job does not stop in time, and after some
 * time without jobs. The next job then starts a new one.
 */
export class PreparingThread {
  readonly #template: TemplateSource
  readonly #timeoutMs: number
  readonly #control = new Int32Array(new SharedArrayBuffer(12))
  readonly #waiting: Queued[] = []
  #current: Queued | undefined
  #timer: NodeJS.Timeout | undefined
  #worker: Worker | undefined
  #done = 0
  #starts = 0

  constructor(template: TemplateSource, timeoutMs = prepareTimeoutMs) {
    this.#template = template
    this.#timeoutMs = timeoutMs
  }

  /** Number of jobs that have ended. */
  get done(): number {
    return this.#done
  }

  /** Grows whenever a job has ended or a thread has started. */
  get progress(): number {
    return this.#done + this.#starts
  }

  /** Queues a job; with `isUrgent` before all others. Calls `reply` once, unless `job` returns undefined. */
  add(queued: Queued, isUrgent = false): void {
    if (isUrgent) this.#waiting.unshift(queued)
    else this.#waiting.push(queued)
    this.#startNext()
  }

  /** Drops a waiting job, or stops a running one, whose reply then comes within some tens of milliseconds. */
  cancel(id: number): void {
    const index = this.#waiting.findIndex((queued) => queued.id === id)
    const [queued] = index === -1 ? [] : this.#waiting.splice(index, 1)
    queued?.reply({ type: 'cancelled', id })
    if (this.#current?.id !== id) return
    Atomics.store(this.#control, controlFields.cancelled, id)
    this.#endAfter(prepareCancelMs, () => ({ type: 'cancelled', id }))
  }

  async close(): Promise<void> {
    this.#waiting.length = 0
    this.#current = undefined
    clearTimeout(this.#timer)
    await this.#worker?.terminate()
  }

  #startNext(): void {
    while (this.#current === undefined) {
      const queued = this.#waiting.shift()
      if (queued === undefined) {
        this.#endWhenIdle()
        return
      }
      const job = queued.job()
      if (job === undefined) continue
      this.#current = queued
      Atomics.store(this.#control, controlFields.beganCpuMs, notBegun)
      this.#worker ??= this.#start()
      this.#limitTime()
      this.#worker.postMessage(job)
    }
  }

  #start(): Worker {
    const workerData: ThreadData = { template: this.#template, control: this.#control }
    const worker = new Worker(entryFile('engine/embedded/child/prepare/prepare-thread'), {
      workerData,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: prepareHeapMb, maxYoungGenerationSizeMb: 4 },
      name: 'prepare',
    })
    worker.unref()
    worker.once('online', () => {
      if (worker !== this.#worker || this.#current === undefined || this.#isCancelled) return
      this.#starts += 1
      // The job begins only now.
      this.#limitTime()
    })
    worker.on('message', (reply: ThreadReply) => {
      if (reply.id === this.#current?.id) this.#end(reply)
    })
    // The thread is out of memory, or its own code has thrown an error.
    worker.once('error', (error) => {
      if (worker !== this.#worker) return
      this.#worker = undefined
      const id = this.#current?.id
      if (id !== undefined) this.#end({ type: 'refused', id, ...this.#failure(error) })
    })
    return worker
  }

  /** Gives the current job the whole time limit from now on. */
  #limitTime(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#endSlow(), this.#timeoutMs)
  }

  /** Ends the thread and its job. Only a job that has computed for long is refused for good. */
  async #endSlow(): Promise<void> {
    const queued = this.#current
    const worker = this.#worker
    if (queued === undefined || worker === undefined) return
    const refusal = (await this.#hasComputed(worker)) ? this.#tooSlow() : busy
    // The job may have ended meanwhile.
    if (queued !== this.#current || worker !== this.#worker) return
    this.#endThread()
    this.#end({ type: 'refused', id: queued.id, ...refusal })
  }

  async #hasComputed(worker: Worker): Promise<boolean> {
    const beganMs = Atomics.load(this.#control, controlFields.beganCpuMs)
    if (beganMs === notBegun) return false
    const cpuMs = await workerCpuMs(worker, prepareMeasureMs)
    return cpuMs !== undefined && cpuMs - beganMs >= this.#timeoutMs / 2
  }

  /** If the current job still runs after `delayMs`, ends the thread, and ends the job with the result of `reply`. */
  #endAfter(delayMs: number, reply: () => ThreadReply): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      const ended = reply()
      this.#endThread()
      this.#end(ended)
    }, delayMs)
  }

  #endWhenIdle(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#endThread(), prepareIdleMs).unref()
  }

  #endThread(): void {
    void this.#worker?.terminate()
    this.#worker = undefined
  }

  #end(reply: ThreadReply): void {
    clearTimeout(this.#timer)
    const queued = this.#current
    this.#current = undefined
    this.#done += 1
    Atomics.store(this.#control, controlFields.isCompiling, 0)
    queued?.reply(reply)
    this.#startNext()
  }

  get #isCancelled(): boolean {
    return Atomics.load(this.#control, controlFields.cancelled) === this.#current?.id
  }

  get #isCompiling(): boolean {
    return Atomics.load(this.#control, controlFields.isCompiling) === 1
  }

  #tooSlow(): Refusal {
    return this.#isCompiling
      ? { reason: 'schema', message: tooComplex, path: '' }
      : { reason: 'conversation', message: 'it takes too long', path: '' }
  }

  #failure(error: unknown): Refusal {
    return this.#isCompiling
      ? { reason: 'schema', message: tooComplex, path: '' }
      : { reason: 'engine', message: causeOf(error), path: '' }
  }
}

/** Stands for the processor time of a thread that has not begun its job. */
const notBegun = -1
const busy: Refusal = { reason: 'busy', message: 'it got too little processor time', path: '' }
const tooComplex = 'The schema is too complex. Make it smaller.'
