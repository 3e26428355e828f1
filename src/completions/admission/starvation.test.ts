import { expect, test } from 'vitest'
import { ServiceError } from '../../errors.ts'
import type { HeldSlots } from './held-slots.ts'
import { type Asker, SlotQueue } from './slot-queue.ts'

const never = new AbortController().signal
const stepMs = 10
const firstTokenMs = 10
const tokenMs = 20

/** A request of the load below, which takes `firstTokenMs` and then `tokenMs` for each token. */
type Wish = { key: string; tokens: number; slots?: number }
type Running = { held: HeldSlots; tokens: number; done: number; dueMs: number; onEnd: () => void }

/** A queue on a clock of its own, whose requests generate tokens as time passes. */
class Load {
  nowMs = 0
  readonly queue: SlotQueue
  readonly #running = new Set<Running>()
  readonly #later: { atMs: number; act: () => void }[] = []

  constructor(slots: number) {
    this.queue = new SlotQueue(slots, { now: () => this.nowMs })
  }

  /** Returns whether the request was served, once it has ended. */
  async ask({ key, tokens, slots = 1 }: Wish): Promise<{ isServed: boolean; waitedMs: number }> {
    const sentMs = this.nowMs
    const work = { promptTokens: 20, outputTokensMax: tokens }
    try {
      const held = await this.queue.take(askerOf(key), slots, work, never)
      const waitedMs = this.nowMs - sentMs
      const dueMs = this.nowMs + firstTokenMs
      await new Promise<void>((onEnd) => {
        this.#running.add({ held, tokens, done: 0, dueMs, onEnd })
      })
      return { isServed: true, waitedMs }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return { isServed: false, waitedMs: this.nowMs - sentMs }
    }
  }

  /** Sends a request again whenever the one before has ended, after a pause. */
  async askForever(wish: Wish, pauseMs: number): Promise<never> {
    for (;;) {
      await this.ask(wish)
      await this.pause(pauseMs)
    }
  }

  /** Waits until `pass` has let this time pass. */
  pause(ms: number): Promise<void> {
    return new Promise((act) => {
      this.#later.push({ atMs: this.nowMs + ms, act })
    })
  }

  async pass(ms: number): Promise<void> {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs;) {
      this.nowMs += stepMs
      for (const one of this.#running) this.#generate(one)
      const due = this.#later.filter(({ atMs }) => atMs <= this.nowMs)
      for (const one of due) {
        this.#later.splice(this.#later.indexOf(one), 1)
        one.act()
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  #generate(one: Running): void {
    while (one.dueMs <= this.nowMs && one.done < one.tokens) {
      one.held.noteTokens(1)
      one.done += 1
      // Choices in several slots are generated side by side.
      one.dueMs += tokenMs / Math.max(1, one.held.count)
    }
    if (one.done < one.tokens) return
    this.#running.delete(one)
    one.held.release()
    one.onEnd()
  }
}

const askerOf = (key: string): Asker => ({
  holder: { accountId: `account of ${key}`, keyId: key },
  endUser: '',
  deadlineMs: Infinity,
})

/** Returns a load on a queue that has measured short replies. */
async function warmLoad(slots: number): Promise<Load> {
  const load = new Load(slots)
  for (let count = 0; count < 16; count++) {
    const served = load.ask({ key: 'light', tokens: 20 })
    await load.pass(500)
    await served
  }
  return load
}

/** Sends a short request of another account every two seconds. */
async function light(load: Load, seconds: number) {
  const results: Promise<{ isServed: boolean; waitedMs: number }>[] = []
  for (let sent = 0; sent < seconds / 2; sent++) {
    results.push(load.ask({ key: 'light', tokens: 20 }))
    await load.pass(2000)
  }
  await load.pass(60_000)
  return await Promise.all(results)
}

test.each([4, 40])(
  'beside three long replies and %i short requests of one key, the requests of another account are served (T43)',
  async (short) => {
    const load = await warmLoad(4)
    for (let count = 0; count < 3; count++)
      void load.askForever({ key: 'hog', tokens: 2000 }, stepMs)
    for (let count = 0; count < short; count++)
      void load.askForever({ key: 'hog', tokens: 2 }, stepMs)
    // The key also exceeds its share of the places, which is a refusal for overload.
    const exceed = async (): Promise<never> => {
      for (;;) {
        load.queue.noteRefusal(askerOf('hog').holder)
        await load.pause(1000)
      }
    }
    void exceed()
    await load.pass(30_000)
    const results = await light(load, 60)
    expect(results.filter(({ isServed }) => isServed).length).toBeGreaterThanOrEqual(28)
    const waits = results.map(({ waitedMs }) => waitedMs).toSorted((a, b) => a - b)
    expect(waits[15]).toBeLessThan(1000)
  },
)

test('beside long replies in all slots, a request waits for the first one to end', async () => {
  const load = new Load(16)
  // Replies of 80 seconds that end five seconds after each other.
  for (let count = 0; count < 16; count++) {
    void load.askForever({ key: 'hog', tokens: 4000 }, stepMs)
    await load.pass(5000)
  }
  await load.pass(202_000)
  const asked = load.ask({ key: 'light', tokens: 20 })
  await load.pass(30_000)
  await expect(asked).resolves.toMatchObject({ isServed: true })
})

test('a request for more slots than are free leaves none idle, and starves no other', async () => {
  const load = await warmLoad(4)
  void load.askForever({ key: 'long', tokens: 5000 }, stepMs)
  void load.askForever({ key: 'many', tokens: 200, slots: 4 }, stepMs)
  await load.pass(1000)
  expect(load.queue.busy).toBe(4)
  const results = await light(load, 60)
  expect(results.filter(({ isServed }) => isServed)).toHaveLength(30)
})
