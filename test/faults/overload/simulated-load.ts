import { vi } from 'vitest'
import { Admission } from '../../../src/completions/admission/admission.ts'
import { ServiceError } from '../../../src/errors.ts'
import { randomNumbers } from '../../support/random/random-numbers.ts'

/** The outcome of one attempt of a client. Times are those of the simulated clock. */
export type Attempt = {
  sentMs: number
  endMs: number
  /** Time until the request got its slot; undefined if it got none. */
  waitedMs: number | undefined
  end: 'served' | 'refused' | 'gaveUp'
  retryAfterMs: number
  dropReason: string | undefined
}

type Settings = {
  slots: number
  patienceMs: number
  seed: number
  /** Mean duration of a reply. */
  meanReplyMs?: number
}

const meanTokens = 80

/** The real admission code on a simulated clock. A delay for each token simulates the engine. */
export class SimulatedLoad {
  readonly admission: Admission
  readonly random: () => number
  readonly attempts: Attempt[] = []
  readonly #patienceMs: number
  readonly #msPerToken: number

  /** Vitest's fake timers must be on; they are the clock. */
  constructor({ slots, patienceMs, seed, meanReplyMs = 4000 }: Settings) {
    this.admission = new Admission({ slots, now: nowMs })
    this.random = randomNumbers(seed)
    this.#patienceMs = patienceMs
    this.#msPerToken = meanReplyMs / meanTokens
  }

  /** Starts clients at random times, at this average rate per second, and lets the time pass. */
  async run(perSecond: number, durationMs: number, client: () => Promise<unknown>): Promise<void> {
    const endMs = nowMs() + durationMs
    const arrive = async () => {
      for (;;) {
        await sleep((-Math.log(1 - this.random()) * 1000) / perSecond)
        if (nowMs() >= endMs) return
        void client()
      }
    }
    void arrive()
    await vi.advanceTimersByTimeAsync(durationMs)
  }

  /** Sends one request with a key. The promise never rejects. */
  async attempt(keyId = 'key', accountId = 'acct'): Promise<Attempt> {
    const sentMs = nowMs()
    const gone = new AbortController()
    const timer = setTimeout(() => gone.abort(new Error('gone')), this.#patienceMs)
    let waitedMs: number | undefined
    const attempt = (end: Attempt['end'], error?: ServiceError): Attempt => {
      const retryAfterMs = error?.retryAfterMs ?? 0
      const { dropReason } = error ?? {}
      const made = { sentMs, endMs: nowMs(), waitedMs, end, retryAfterMs, dropReason }
      this.attempts.push(made)
      return made
    }
    try {
      const place = this.admission.enter({ accountId, keyId })
      try {
        place.start()
        place.expect({})
        const tokens = this.#tokens()
        // Callers ask for much more than the reply takes, some more than others.
        const outputTokensMax = Math.max(tokens, [64, 256, 512][Math.floor(3 * this.random())] ?? 0)
        await place.takeSlots(1, { promptTokens: 20, outputTokensMax }, gone.signal)
        waitedMs = nowMs() - sentMs
        await sleep(this.#msPerToken, gone.signal)
        place.noteTokens(1)
        await sleep((tokens - 1) * this.#msPerToken, gone.signal)
        place.noteTokens(tokens - 1)
        return attempt('served')
      } finally {
        place.leave()
      }
    } catch (error) {
      if (gone.signal.aborted) return attempt('gaveUp')
      if (error instanceof ServiceError) return attempt('refused', error)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Draws a lognormal length with a mean of about 80 tokens. */
  #tokens(): number {
    const normal =
      Math.sqrt(-2 * Math.log(1 - this.random())) * Math.cos(2 * Math.PI * this.random())
    return Math.min(Math.max(2, Math.round(60 * Math.exp(0.75 * normal))), 256)
  }
}

export function nowMs(): number {
  return performance.now()
}

/** Waits on the simulated clock. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort)
  })
}
