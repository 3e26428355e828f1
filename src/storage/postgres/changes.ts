import type pg from 'pg'
import { connect } from './connection.ts'
import { changeChannel } from './schema.ts'

const checkMs = 2000
/** Longest wait for an answer of the listener's connection, so that a lost one delays a revoked key by less than 5 s. */
const answerMs = 2000

type ListenerOptions = {
  url: string
  /** Returns true if `serverPid` is the PostgreSQL process that serves this process's connection for writes. */
  isOwn: (serverPid: number) => boolean
  changed: () => void
}

/**
 * Calls back after another process changes accounts, keys, users, sessions or marks. `close` ends this. The listener
 * compares the number of changes after each notification and, because notifications can be lost, every two seconds. If
 * the connection is broken, it then opens a new one.
 */
export class ChangeListener {
  readonly #options: ListenerOptions
  #timer: NodeJS.Timeout | undefined
  #client: pg.Client | undefined
  #isChecking = false
  /** True if a notification has arrived since the last check began. */
  #isNotified = false
  #count = -1
  #closed = false

  private constructor(options: ListenerOptions) {
    this.#options = options
  }

  /**
   * Resolves once the connection listens, so that no later change is missed.
   * @throws the driver's error
   */
  static async start(options: ListenerOptions): Promise<ChangeListener> {
    const listener = new ChangeListener(options)
    try {
      await listener.#listen()
      // Started only now: a check during the first connect would open another connection.
      listener.#timer = setInterval(() => void listener.#check(), checkMs)
      return listener
    } catch (error) {
      await listener.close()
      throw error
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    await this.#client?.end().catch(() => {})
  }

  /** Repeats the check if a notification arrives meanwhile. */
  async #check(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    do {
      this.#isNotified = false
      await this.#checkOnce()
    } while (this.#isNotified && !this.#closed)
    this.#isChecking = false
  }

  async #checkOnce(): Promise<void> {
    try {
      if (this.#client !== undefined) await this.#compare(this.#client)
      else {
        await this.#listen()
        this.#options.changed()
      }
    } catch {
      await this.#replace()
    }
  }

  /** Opens a new connection in place of a broken one. If that fails, the next check tries again. */
  async #replace(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => {})
    if (client === undefined || this.#closed) return
    try {
      await this.#listen()
      this.#options.changed()
    } catch {
      // PostgreSQL cannot be reached now.
    }
  }

  /** Calls back if the number of changes differs from the last check. The number includes changes by this process. */
  async #compare(client: pg.Client): Promise<void> {
    const count = await readCount(client)
    if (count === this.#count) return
    this.#count = count
    this.#options.changed()
  }

  async #listen(): Promise<void> {
    const client = await connect(this.#options.url, answerMs)
    if (this.#closed) return await client.end()
    client.on('notification', ({ processId }) => {
      if (this.#options.isOwn(processId)) return
      this.#isNotified = true
      void this.#check()
    })
    client.once('end', () => {
      if (this.#client === client) this.#client = undefined
    })
    this.#client = client
    await client.query(`listen ${changeChannel}`)
    this.#count = await readCount(client)
  }
}

async function readCount(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>('select count from change_counts')
  return rows[0]?.count ?? 0
}

/** Reports changes by other processes. Changes before the first `watch` are held back until then. */
export class Changes {
  readonly #report: () => void
  #isWatched = false
  #waits = false

  constructor(report: () => void) {
    this.#report = report
  }

  add(): void {
    if (this.#isWatched) this.#report()
    else this.#waits = true
  }

  watch(): void {
    this.#isWatched = true
    if (this.#waits) this.#report()
  }
}
