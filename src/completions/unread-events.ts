import type { SampledLogprob } from '../engine/engine.ts'
import { unreadEventsMax } from '../limits.ts'
import type { Holder, SharedBudget } from './admission/shared-budget.ts'
import type { CompletionEvent } from './completion.ts'
import { Interruption } from './interruption.ts'

type Delta = Extract<CompletionEvent, { type: 'delta' }>
type JoinedDelta = Omit<Delta, 'logprobs'> & { logprobs?: SampledLogprob[] }
type Unread = {
  event: CompletionEvent
  bytes: number
  /** The same object as `event`, if that joins several deltas. No other entry refers to it, so more can be added. */
  joined?: JoinedDelta
}

/** Step in which bytes are taken from the budget. A reader that keeps up never takes any. */
const stepBytes = 16 * 1024
/** Unread bytes at which a reader of a whole reply gets events early, so that it never needs the budget. */
const wholeBytesMax = stepBytes / 2
const eventBytes = 160
const logprobBytes = 128

/** Buffers an event. Returns false if the reader has fallen too far behind, which drops all unread events. */
type Put = (event: CompletionEvent) => boolean

type Source = {
  /**
   * True if the reader wants the whole reply. It gets the events at the end, or once many are unread, with deltas
   * joined.
   */
  isWhole?: boolean
  /** Called at the first read. Puts all events, then resolves or rejects. */
  produce: (put: Put) => Promise<void>
  /** Called when the reader stops before the end. */
  abort: () => void
}

type Result = IteratorResult<CompletionEvent, void>

/**
 * Buffers the events of one completion, so that it runs at the speed of the engine, however slow its reader is. Beyond
 * `unreadEventsMax` unread events, deltas of the same choice are joined. It is a hand-written iterator for speed,
 * because every token passes through it. Call `next` again only after it has resolved.
 */
export class UnreadEvents implements AsyncIterableIterator<CompletionEvent, void, void> {
  readonly #source: Source
  readonly #budget: SharedBudget
  readonly #holder: Holder
  readonly #unread: Unread[] = []
  #bytes = 0
  #takenBytes = 0
  #running: Promise<void> | undefined
  /** `complete`: the last event was put. `cut`: the reader has fallen too far behind. */
  #state: 'open' | 'complete' | 'cut' = 'open'
  #end: { error?: unknown } | undefined
  #reader: PromiseWithResolvers<Result> | undefined

  constructor(source: Source, budget: SharedBudget, holder: Holder) {
    this.#source = source
    this.#budget = budget
    this.#holder = holder
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Result> {
    if (this.#end === undefined) this.#running ??= this.#run()
    const value = this.#isReadable ? this.#take() : undefined
    if (value !== undefined) return Promise.resolve({ done: false, value })
    if (this.#end === undefined) {
      this.#reader = Promise.withResolvers()
      return this.#reader.promise
    }
    const result = ending(this.#end)
    this.#end = {}
    return result
  }

  /** Aborts the completion if it has not ended, waits for its end, and drops the unread events. */
  async return(): Promise<Result> {
    const mayRun = this.#state === 'open' && this.#end === undefined
    if (mayRun && this.#running !== undefined) this.#source.abort()
    await this.#running
    this.#end = {}
    this.#clear()
    return { done: true, value: undefined }
  }

  async #run(): Promise<void> {
    try {
      await this.#source.produce((event) => this.#put(event))
      // The completion may have finished before it could be aborted.
      const isCut = this.#state === 'cut'
      this.#finish(isCut ? { error: new Interruption('slow_reader') } : {})
    } catch (error) {
      this.#finish({ error })
    }
  }

  #put(event: CompletionEvent): boolean {
    if (this.#state === 'cut') return true
    // The usage is the last event. A reader may stop after it without aborting the completion.
    if (event.type === 'usage') this.#state = 'complete'
    if (this.#reader !== undefined && this.#source.isWhole !== true) {
      this.#reader.resolve({ done: false, value: event })
      this.#reader = undefined
      return true
    }
    const bytes = sizeOf(event)
    this.#bytes += bytes
    if (!this.#adjustBudget()) {
      this.#state = 'cut'
      this.#clear()
      return false
    }
    if (event.type !== 'delta' || !this.#join(event, bytes)) this.#unread.push({ event, bytes })
    if (this.#isReadable) this.#wake()
    return true
  }

  /** False while the reader of a whole reply should wait for more events, because each read costs a microtask turn. */
  get #isReadable(): boolean {
    const hasEnded = this.#state === 'complete' || this.#end !== undefined
    const isMuch = this.#bytes >= wholeBytesMax || this.#unread.length >= unreadEventsMax
    return this.#source.isWhole !== true || hasEnded || isMuch
  }

  /** Passes the first unread event to the waiting reader. */
  #wake(): void {
    if (this.#reader === undefined) return
    const value = this.#take()
    if (value === undefined) return
    this.#reader.resolve({ done: false, value })
    this.#reader = undefined
  }

  #finish(end: { error?: unknown }): void {
    this.#wake()
    this.#end = this.#reader === undefined ? end : {}
    this.#reader?.resolve(ending(end))
    this.#reader = undefined
  }

  #clear(): void {
    this.#unread.length = 0
    this.#bytes = 0
    this.#adjustBudget()
  }

  #take(): CompletionEvent | undefined {
    const first = this.#unread.shift()
    if (first === undefined) return undefined
    this.#bytes -= first.bytes
    this.#adjustBudget()
    return first.event
  }

  /**
   * Joins the delta to the last one of its choice if many events are unread or the reader wants the whole reply.
   * Returns false if it was not joined.
   */
  #join({ index, text, logprobs = [], reasoning }: Delta, bytes: number): boolean {
    if (this.#unread.length < unreadEventsMax && this.#source.isWhole !== true) return false
    // A short search: while deltas are joined, each choice appends only its first delta and its finish.
    const last = this.#unread.findLast(
      ({ event }) => event.type === 'delta' && event.index === index,
    )
    if (last?.event.type !== 'delta') return false
    const joined = (last.joined ??= copyOf(last.event))
    joined.text += text
    if (logprobs.length > 0) (joined.logprobs ??= []).push(...logprobs)
    if (reasoning !== undefined) joined.reasoning = (joined.reasoning ?? '') + reasoning
    last.event = joined
    last.bytes += bytes
    return true
  }

  #adjustBudget(): boolean {
    const wanted = this.#bytes - (this.#bytes % stepBytes)
    if (wanted > this.#takenBytes) {
      if (this.#budget.take(this.#holder, wanted - this.#takenBytes) !== undefined) return false
    } else if (wanted < this.#takenBytes)
      this.#budget.giveBack(this.#holder, this.#takenBytes - wanted)
    this.#takenBytes = wanted
    return true
  }
}

function ending(end: { error?: unknown }): Promise<Result> {
  return 'error' in end
    ? Promise.reject(end.error)
    : Promise.resolve({ done: true, value: undefined })
}

function copyOf({ logprobs, ...delta }: Delta): JoinedDelta {
  return logprobs === undefined ? delta : { ...delta, logprobs: [...logprobs] }
}

/** Estimates the memory of an event. */
function sizeOf(event: CompletionEvent): number {
  if (event.type !== 'delta') return eventBytes
  const { text, logprobs = [], reasoning = '' } = event
  let bytes = eventBytes + 2 * (text.length + reasoning.length)
  for (const { top } of logprobs) bytes += logprobBytes * (1 + top.length)
  return bytes
}
