/** Waits until every promise that can settle without a timer has settled. */
const settle = () => new Promise<void>((resolve) => void realSetImmediate(resolve))
const realSetImmediate = globalThis.setImmediate

type Callback = (...args: unknown[]) => void

/** A timer of the service, or an event of the world around it. */
class Timer {
  readonly callback: Callback
  readonly args: unknown[]
  /** Period of an interval; undefined for other timers. */
  readonly everyMs: number | undefined
  readonly isWorld: boolean
  dueMs: number
  order = 0
  isActive = true

  constructor(callback: Callback, dueMs: number, options: Partial<Timer> = {}) {
    this.callback = callback
    this.dueMs = dueMs
    this.args = options.args ?? []
    this.everyMs = options.everyMs
    this.isWorld = options.isWorld ?? false
  }

  unref(): this {
    return this
  }

  ref(): this {
    return this
  }
}

/**
 * Simulated clock for a whole service in this thread. While it is installed, the global timers, `performance.now` and
 * `Date.now` follow it. It moves from one timer to the next, as fast as the callbacks run. Its wall clock can jump.
 */
export class SimulatedClock {
  #nowMs = 0
  #wallMs: number
  #order = 0
  readonly #heap: Timer[] = []
  readonly #onError: (error: unknown) => void

  /** @param onError receives the errors that callbacks throw */
  constructor(wallMs: number, onError: (error: unknown) => void) {
    this.#wallMs = wallMs
    this.#onError = onError
  }

  /** Milliseconds since the start of the simulation. */
  get nowMs(): number {
    return this.#nowMs
  }

  /** Moves only the wall clock, not the monotonic clock. */
  jump(byMs: number): void {
    this.#wallMs += byMs
  }

  /** Schedules a callback that belongs to the world around the service. `dropTimers` does not cancel it. */
  after(ms: number, callback: () => void): void {
    this.#push(new Timer(callback, this.#nowMs + ms, { isWorld: true }))
  }

  /** Cancels all timers of the service, as the end of its process does. */
  dropTimers(): void {
    for (const timer of this.#heap) if (!timer.isWorld) timer.isActive = false
  }

  /** Runs all timers that are due by `untilMs`. Stops earlier once `isDone` returns true. */
  async run(untilMs: number, isDone: () => boolean = () => false): Promise<void> {
    for (;;) {
      await settle()
      if (isDone()) return
      const timer = this.#heap[0]
      if (timer === undefined || timer.dueMs > untilMs) break
      this.#pop()
      if (!timer.isActive) continue
      this.#nowMs = Math.max(this.#nowMs, timer.dueMs)
      if (timer.everyMs === undefined) timer.isActive = false
      else {
        timer.dueMs = this.#nowMs + timer.everyMs
        this.#push(timer)
      }
      try {
        timer.callback(...timer.args)
      } catch (error) {
        this.#onError(error)
      }
    }
    this.#nowMs = Math.max(this.#nowMs, untilMs)
  }

  /** Replaces the clocks and timers of this thread until the returned function is called. */
  install(): () => void {
    const start = (callback: Callback, ms = 0, ...args: unknown[]) =>
      this.#push(new Timer(callback, this.#nowMs + Math.max(1, Math.floor(ms)), { args }))
    const repeat = (callback: Callback, ms = 0, ...args: unknown[]) => {
      const everyMs = Math.max(1, Math.floor(ms))
      return this.#push(new Timer(callback, this.#nowMs + everyMs, { args, everyMs }))
    }
    const immediately = (callback: Callback, ...args: unknown[]) =>
      this.#push(new Timer(callback, this.#nowMs, { args }))
    const stop = (timer: unknown) => {
      if (timer instanceof Timer) timer.isActive = false
    }
    const undo = [
      replace(globalThis, 'setTimeout', start),
      replace(globalThis, 'setInterval', repeat),
      replace(globalThis, 'setImmediate', immediately),
      replace(globalThis, 'clearTimeout', stop),
      replace(globalThis, 'clearInterval', stop),
      replace(globalThis, 'clearImmediate', stop),
      replace(performance, 'now', () => this.#nowMs),
      replace(Date, 'now', () => this.#wallMs + this.#nowMs),
    ]
    return () => {
      for (const one of undo) one()
    }
  }

  #push(timer: Timer): Timer {
    timer.order = this.#order++
    const heap = this.#heap
    let at = heap.length
    while (at > 0) {
      const up = (at - 1) >> 1
      const parent = heap[up]
      if (parent === undefined || isBefore(parent, timer)) break
      heap[at] = parent
      at = up
    }
    heap[at] = timer
    return timer
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let at = 0
    for (;;) {
      const left = heap[2 * at + 1]
      if (left === undefined) break
      const right = heap[2 * at + 2]
      const isRight = right !== undefined && isBefore(right, left)
      const child = isRight ? right : left
      if (isBefore(last, child)) break
      heap[at] = child
      at = 2 * at + (isRight ? 2 : 1)
    }
    heap[at] = last
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order)
}

function replace(owner: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name)
  Object.defineProperty(owner, name, { value, configurable: true, writable: true })
  return () => {
    if (before === undefined) Reflect.deleteProperty(owner, name)
    else Object.defineProperty(owner, name, before)
  }
}
