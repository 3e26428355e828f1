import { randomBytes } from 'node:crypto'
import type { Database } from '../../storage/database.ts'
import type { Logger } from '../../telemetry/logger.ts'
import { closeReplica, closeUnowned } from './close-replica.ts'
import { heartbeatMs, judgeGapMs, poolKeptMs, replicaTrustMs } from './replica-limits.ts'
import { beat, deleteIdlePools, findDead, registerReplica } from './replica-statements.ts'

type ReplicaOptions = {
  /** Where the service listens, for people who look at the table. */
  address: string
  version: string
  logger: Logger
  now?: () => number
  /** A clock that never jumps, in milliseconds. */
  steadyMs?: () => number
}

/**
 * The registration of this service among those of one PostgreSQL database. It sends heartbeats, closes replicas whose
 * heartbeats have ended, and registers anew, under another id, after others have closed this one.
 */
export class Replica {
  readonly #database: Database
  readonly #options: Required<ReplicaOptions>
  #id = newId()
  #lost = new AbortController()
  #confirmedMs = -Infinity
  #poolsMs = 0
  #timer: NodeJS.Timeout | undefined
  #beating: Promise<void> | undefined
  #isFailing = false
  #closed = false
  #timesClosed = 0

  private constructor(database: Database, options: ReplicaOptions) {
    this.#database = database
    this.#options = { now: Date.now, steadyMs: () => performance.now(), ...options }
  }

  /**
   * Registers the service, and closes what dead ones have left. `start` follows.
   * @throws ServiceError ledger_unavailable
   */
  static async register(database: Database, options: ReplicaOptions): Promise<Replica> {
    const replica = new Replica(database, options)
    await replica.#register()
    return replica
  }

  /** The id under which this service reserves entries and leases; another one after it was closed by others. */
  get id(): string {
    return this.#id
  }

  /** Aborts when others have closed this registration: its requests are settled, and must end. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** False while a registration may have expired without notice: nothing may be spent under it. */
  get isLive(): boolean {
    return this.#options.steadyMs() - this.#confirmedMs < replicaTrustMs
  }

  /** Times that other services have closed this one. */
  get timesClosed(): number {
    return this.#timesClosed
  }

  /** Sends heartbeats until `close`. */
  start(): void {
    this.#timer = setInterval(() => void this.beat(), heartbeatMs)
  }

  /** Sends one heartbeat, unless one is on its way, and looks after dead replicas. Never throws. */
  beat(): Promise<void> {
    this.#beating ??= this.#beat()
      .then(
        () => (this.#isFailing = false),
        (error: unknown) => this.#report(error),
      )
      .finally(() => (this.#beating = undefined))
      .then(() => {})
    return this.#beating
  }

  /** Ends the registration and its leases. Entries that are still open are settled. Never throws. */
  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    await this.#beating
    const closing = { replicaId: this.#id, nowMs: this.#options.now(), isOwn: true }
    await closeReplica(this.#database, closing).catch((error: unknown) =>
      this.#options.logger.warn('the other replicas will close this one', { error }),
    )
  }

  async #beat(): Promise<void> {
    const { steadyMs } = this.#options
    const sentMs = steadyMs()
    const gapMs = sentMs - this.#confirmedMs
    const changed = await this.#database.write([beat(this.#id)], 'essential')
    if (this.#closed) return
    if (changed === 0) return await this.#registerAnew()
    this.#confirmedMs = sentMs
    if (gapMs > judgeGapMs) return
    await this.#closeDead()
    if (sentMs - this.#poolsMs < poolKeptMs) return
    this.#poolsMs = sentMs
    await this.#database.write([deleteIdlePools()])
  }

  /** Logs the first failure of an outage. */
  #report(error: unknown): void {
    if (!this.#isFailing)
      this.#options.logger.warn('the heartbeat of this replica could not be written', { error })
    this.#isFailing = true
  }

  async #register(): Promise<void> {
    const { address, version, steadyMs, logger, now } = this.#options
    const sentMs = steadyMs()
    await this.#database.write([registerReplica(this.#id, address, version)], 'essential')
    this.#confirmedMs = sentMs
    const count = await closeUnowned(this.#database, now())
    if (count > 0) logger.warn('entries of an earlier run were closed as server_crash', { count })
    await this.#closeDead()
  }

  async #registerAnew(): Promise<void> {
    this.#options.logger.warn(
      'other replicas have closed this one, because its heartbeats were late: its requests are cut',
    )
    this.#timesClosed += 1
    const lost = this.#lost
    this.#id = newId()
    this.#lost = new AbortController()
    this.#confirmedMs = -Infinity
    lost.abort()
    await this.#register()
  }

  async #closeDead(): Promise<void> {
    const { logger, now } = this.#options
    for (const { id } of await this.#database.readRows(findDead(this.#id))) {
      const count = await closeReplica(this.#database, { replicaId: String(id), nowMs: now() })
      if (count !== undefined) logger.warn('a dead replica was closed', { count })
    }
  }
}

function newId(): string {
  return randomBytes(8).toString('hex')
}
