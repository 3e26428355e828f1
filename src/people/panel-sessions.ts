import { sql } from 'kysely'
import { panelSessionsFollowedMax } from '../sign-in-limits.ts'
import type { Database } from '../storage/database.ts'
import { queries } from '../storage/statement.ts'
import type { Role } from './users.ts'

/** The user of a panel session. */
export type PanelUser = Readonly<{
  userId: string
  sessionId: string
  /** Time of the sign-in. */
  sessionBeganMs: number
  accountId: string
  email: string
  name: string
  role: Role
  /** Aborts at sign-out, at revocation, at expiry, and when the account is disabled. */
  ended: AbortSignal
}>

const retryMs = 250
const expiryCheckMs = 1000

/** Aborts a session's signal when the session ends, even if another process ends it. */
export class PanelSessions {
  readonly #database: Database
  readonly #now: () => number
  readonly #stopWatching: () => void
  readonly #expiry: NodeJS.Timeout
  /** Followed sessions by id, least recently used first. */
  readonly #followed = new Map<string, { end: AbortController; expiresMs: number }>()
  #retry: NodeJS.Timeout | undefined
  #rechecks = 0
  #isChecking = false
  /** True if another check must follow the current one. */
  #isDue = false

  constructor(database: Database, now: () => number) {
    this.#database = database
    this.#now = now
    this.#stopWatching = database.onForeignCommit(() => this.recheck())
    this.#expiry = setInterval(() => this.#expire(), expiryCheckMs)
    this.#expiry.unref()
  }

  /** Number of calls of `recheck`. Read it before looking up a session that will be followed. */
  get rechecks(): number {
    return this.#rechecks
  }

  /**
   * Returns the signal that aborts when the session ends. If too many sessions are followed, aborts the least recently
   * used one's signal.
   * @param rechecksBefore `rechecks` before the session was looked up: it may have ended since
   */
  follow(sessionId: string, expiresMs: number, rechecksBefore: number): AbortSignal {
    const end = this.#followed.get(sessionId)?.end ?? new AbortController()
    this.#followed.delete(sessionId)
    this.#followed.set(sessionId, { end, expiresMs })
    if (this.#followed.size > panelSessionsFollowedMax)
      for (const leastRecent of this.#followed.keys()) {
        this.#end(leastRecent)
        break
      }
    if (this.#rechecks !== rechecksBefore) void this.#checkUntilDone()
    return end.signal
  }

  /** Looks for ended sessions. Call it after any write that may end some. A failed check is retried. */
  recheck(): void {
    this.#rechecks += 1
    void this.#checkUntilDone()
  }

  close(): void {
    this.#stopWatching()
    clearInterval(this.#expiry)
    clearTimeout(this.#retry)
  }

  /** Runs one check at a time. A check that has begun may not see the latest writes, so another one follows it. */
  async #checkUntilDone(): Promise<void> {
    this.#isDue = true
    if (this.#isChecking) return
    this.#isChecking = true
    clearTimeout(this.#retry)
    try {
      while (this.#isDue) {
        this.#isDue = false
        await this.#check()
      }
    } catch {
      this.#retry = setTimeout(() => void this.#checkUntilDone(), retryMs)
      this.#retry.unref()
    } finally {
      this.#isChecking = false
    }
  }

  async #check(): Promise<void> {
    const followed = [...this.#followed.keys()]
    if (followed.length === 0) return
    const rows = await this.#database.read(
      queries
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .innerJoin('accounts', 'accounts.id', 'users.account_id')
        .select('sessions.id')
        .where(
          'sessions.id',
          'in',
          sql<string>`(select value from json_each(${JSON.stringify(followed)}))`,
        )
        .where('accounts.disabled_ms', 'is', null),
    )
    const valid = new Set(rows.map(({ id }) => id))
    for (const id of followed) if (!valid.has(id)) this.#end(id)
  }

  #expire(): void {
    const nowMs = this.#now()
    for (const [id, { expiresMs }] of this.#followed) if (expiresMs <= nowMs) this.#end(id)
  }

  #end(sessionId: string): void {
    this.#followed.get(sessionId)?.end.abort()
    this.#followed.delete(sessionId)
  }
}
