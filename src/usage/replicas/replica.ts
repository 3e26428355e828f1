import { randomBytes } from 'node:crypto'
import type { Database } from '../../storage/database.ts'
import type { Logger } from '../../telemetry/logger.ts'
import { closeReplica, closeUnowned } from './close-replica.ts'
import {
  heartbeatMs,
  judgeGapMs,
  judgePauseMs,
  poolKeptMs,
  replicaTrustMs,
} from './replica-limits.ts'
import { beat, deleteIdlePools, findDead, registerReplica } from './replica-statements.ts'

type ReplicaOptions = {
  /** Address at which the service listens, for administrators who look at the table. */
  address: string
  version: string
  logger: Logger
  now?: () => number
  /** A clock that never jumps, in milliseconds. */
  steadyMs?: () => number
}

/**
 * Registration of this service as one replica of a PostgreSQL database. It sends heartbeats and closes replicas whose
 * heartbeats have stopped. If other replicas have closed it, it registers again under a new id.
 */
export class Replica {
  readonly #database: Database
  readonly #options: Required<ReplicaOptions>
  #id = newId()
  #lost = new AbortController()
  #confirmedMs = -Infinity
  /** Time from which this replica closes others, by the steady clock. */
  #judgesFromMs = Infinity
  #poolsMs = 0
  #timer: NodeJS.Timeout | undefined
  #beating: Promise<void> | undefined
  #judging: Promise<void> | undefined
  readonly #failing = new Set<string>()
  /** False after a registration that may not have been written. */
  #isRegistered = false
  #closed = false
  #timesClosed = 0

  private constructor(database: Database, options: ReplicaOptions) {
    this.#database = database
    this.#options = { now: Date.now, steadyMs: () => performance.now(), ...options }
  }

  /**
   * Registers the service, and closes entries of services that are not registered. Call `start` next.
   * @throws ServiceError ledger_unavailable
   */
  static async register(database: Database, options: ReplicaOptions): Promise<Replica> {
    const replica = new Replica(database, options)
    await replica.#register()
    return replica
  }

  /** Id under which this service reserves entries and leases. It changes if other replicas close this one. */
  get id(): string {
    return this.#id
  }

  /** Aborts when other replicas have closed this registration. Its requests have been settled, and must end. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** False while the registration may have expired without notice. Nothing may be spent under it then. */
  get isLive(): boolean {
    return this.#options.steadyMs() - this.#confirmedMs < replicaTrustMs
  }

  /** Number of times that other replicas have closed this one. */
  get timesClosed(): number {
    return this.#timesClosed
  }

  /** Sends heartbeats until `close`. */
  start(): void {
    this.#timer = setInterval(() => void this.beat(), heartbeatMs)
  }

  /**
   * Sends one heartbeat, unless one is in flight, and closes dead replicas. The next heartbeat does not wait for that,
   * because a read may be slow. Never throws.
   */
  async beat(): Promise<void> {
    this.#beating ??= this.#report(
      'the heartbeat of this replica could not be written',
      this.#beat(),
    ).finally(() => (this.#beating = undefined))
    await this.#beating
    await this.#judging
  }

  /** Ends the registration and its leases. Entries that are still open are settled. Never throws. */
  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    await this.#beating
    await this.#judging
    const closing = { replicaId: this.#id, nowMs: this.#options.now(), isOwn: true }
    await closeReplica(this.#database, closing).catch((error: unknown) =>
      this.#options.logger.warn('the other replicas will close this one', { error }),
    )
  }

  async #beat(): Promise<void> {
    const { steadyMs } = this.#options
    const sentMs = steadyMs()
    const changed = await this.#database.write([beat(this.#id)], 'essential')
    const nowMs = steadyMs()
    // A heartbeat may have waited for the end of an outage, in which those of the other replicas were late too.
    if (nowMs - this.#confirmedMs > judgeGapMs) this.#judgesFromMs = nowMs + judgePauseMs
    if (this.#closed) return
    if (changed === 0) return await this.#registerAnew()
    this.#isRegistered = true
    this.#confirmedMs = sentMs
    if (nowMs < this.#judgesFromMs) return
    this.#judging ??= this.#report(
      'dead replicas could not be closed',
      this.#judge(sentMs),
    ).finally(() => (this.#judging = undefined))
  }

  async #judge(sentMs: number): Promise<void> {
    await this.#closeDead()
    if (sentMs - this.#poolsMs < poolKeptMs) return
    this.#poolsMs = sentMs
    await this.#database.write([deleteIdlePools()])
  }

  /** Waits for the end of `work`. Logs its first failure of an outage with `message`. Never throws. */
  async #report(message: string, work: Promise<void>): Promise<void> {
    try {
      await work
      this.#failing.delete(message)
    } catch (error) {
      if (!this.#failing.has(message)) this.#options.logger.warn(message, { error })
      this.#failing.add(message)
    }
  }

  async #register(): Promise<void> {
    const { address, version, steadyMs, logger, now } = this.#options
    const sentMs = steadyMs()
    await this.#database.write([registerReplica(this.#id, address, version)], 'essential')
    this.#isRegistered = true
    this.#confirmedMs = sentMs
    // An outage may have ended just now, and then the other replicas are still reconnecting.
    this.#judgesFromMs = steadyMs() + judgePauseMs
    const count = await closeUnowned(this.#database, now())
    if (count > 0) logger.warn('entries of an earlier run were closed as server_crash', { count })
  }

  async #registerAnew(): Promise<void> {
    if (this.#isRegistered) {
      this.#options.logger.warn(
        'other replicas have closed this one, because its heartbeats were late: its requests are cut',
      )
      this.#timesClosed += 1
    }
    this.#isRegistered = false
    const lost = this.#lost
    this.#id = newId()
    this.#lost = new AbortController()
    this.#confirmedMs = -Infinity
    lost.abort()
    await this.#register()
  }

  /** Closes each dead replica, even if another one cannot be closed, and then throws the first error. */
  async #closeDead(): Promise<void> {
    const { logger, now } = this.#options
    const errors: unknown[] = []
    for (const { id } of await this.#database.readRows(findDead(this.#id))) {
      try {
        const count = await closeReplica(this.#database, { replicaId: String(id), nowMs: now() })
        if (count !== undefined) logger.warn('a dead replica was closed', { count })
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw errors[0]
  }
}

function newId(): string {
  return randomBytes(8).toString('hex')
}
