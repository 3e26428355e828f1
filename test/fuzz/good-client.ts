import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export type GoodClientSettings = { url: string; key: string; body: string; intervalMs: number }

/** Results of the requests that were due in one window of time. */
export type GoodWindow = {
  latencies: number[]
  /** Latencies over 200 ms, with the time at which each request was due. */
  delays: { startMs: number; ms: number }[]
  /** Statuses other than 200, and errors of the connection. */
  failures: Record<string, number>
}

/** A client that behaves well, on a thread of its own. */
export class GoodClient {
  readonly #thread: Worker

  constructor(settings: GoodClientSettings) {
    this.#thread = new Worker(new URL('./good-client-thread.ts', import.meta.url), {
      workerData: settings,
    })
  }

  /** Ends the current window and begins the next one. Resolves once all requests of the ended window have ended. */
  async endWindow(): Promise<GoodWindow> {
    const reported = once(this.#thread, 'message')
    this.#thread.postMessage('end')
    const [window] = (await reported) as [GoodWindow]
    return window
  }

  async close(): Promise<void> {
    await this.#thread.terminate()
  }
}
