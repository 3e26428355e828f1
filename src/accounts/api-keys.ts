import { timingSafeEqual } from 'node:crypto'
import type { Actor } from '../storage/audit/audit-log.ts'
import { readChangeMark } from '../storage/change-mark.ts'
import type { Database } from '../storage/database.ts'
import { type ApiKeyQuery, findApiKey, findApiKeyNames, searchApiKeys } from './api-key-list.ts'
import {
  type ApiKeyChanges,
  type ApiKeyRecord,
  createApiKey,
  editApiKey,
  listApiKeys,
  type NewApiKey,
  revokeApiKey,
  rotateApiKey,
  setLastUsed,
} from './api-key-store.ts'
import { parseApiKey } from './api-key-text.ts'
import type { Caller } from './caller.ts'
import { type KeyScope, readUsableKeys, UsableKeys } from './usable-keys.ts'

const lastUsedStepMs = 60_000
const retryMs = 250
/** Just below the maximum of `setTimeout`. */
const timerMaxMs = 2_000_000_000

/**
 * Every usable key in memory, by its digest. A change made here takes effect when its promise resolves; a change
 * by another process takes effect within a second.
 */
export class ApiKeys {
  readonly #database: Database
  readonly #now: () => number
  readonly #stopWatching: () => void
  readonly #usable = new UsableKeys()
  #lastRefresh: Promise<void> = Promise.resolve()
  #expiry: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined
  #changeMark = 0
  #onChangeMark: (mark: number) => void = () => {}

  private constructor(database: Database, now: () => number) {
    this.#database = database
    this.#now = now
    this.#stopWatching = database.onForeignCommit(() => this.#refreshUntilDone())
  }

  static async open(database: Database, now: () => number = Date.now): Promise<ApiKeys> {
    const keys = new ApiKeys(database, now)
    await keys.#refresh('all')
    return keys
  }

  /** The number of usable keys. */
  get size(): number {
    return this.#usable.size
  }

  /** Calls back at once and after each change of another process, with the mark of the changes that the keys follow. */
  onChangeMark(listener: (mark: number) => void): void {
    this.#onChangeMark = listener
    listener(this.#changeMark)
  }

  /** Returns undefined for every string that is not a usable key, without a reason. */
  check(rawKey: string): Caller | undefined {
    const digest = parseApiKey(rawKey)
    const key = digest === undefined ? undefined : this.#usable.get(digest)
    if (digest === undefined || key === undefined) return undefined
    if (!timingSafeEqual(key.digest, Buffer.from(digest, 'latin1'))) return undefined
    const nowMs = this.#now()
    if (nowMs >= key.expiresMs) return undefined
    if (nowMs - key.lastUsedMs >= lastUsedStepMs) {
      key.lastUsedMs = nowMs
      this.#database.writeSoon([setLastUsed({ id: key.caller.keyId, nowMs })])
    }
    return key.caller
  }

  /**
   * Creates a key. The result is the only place that ever holds its text.
   * @throws ServiceError invalid_value, ledger_unavailable
   */
  async create(wanted: NewApiKey, by?: Actor): Promise<{ id: string; key: string }> {
    const created = await createApiKey(this.#database, wanted, this.#now(), by)
    await this.#apply({ keyId: created.id })
    return created
  }

  /**
   * Returns one page of an account's keys, and how many keys there are on all pages.
   * @throws ServiceError ledger_unavailable
   */
  search(
    accountId: string,
    query: ApiKeyQuery,
  ): Promise<{ records: ApiKeyRecord[]; total: number }> {
    return searchApiKeys(this.#database, accountId, query, this.#now())
  }

  /**
   * Returns undefined if the account has no such key.
   * @throws ServiceError ledger_unavailable
   */
  find(accountId: string, id: string): Promise<ApiKeyRecord | undefined> {
    return findApiKey(this.#database, accountId, id, this.#now())
  }

  /**
   * Returns the names of those of the ids that are keys of the account.
   * @throws ServiceError ledger_unavailable
   */
  names(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return findApiKeyNames(this.#database, accountId, ids)
  }

  list(): Promise<ApiKeyRecord[]> {
    return listApiKeys(this.#database, this.#now())
  }

  /**
   * Changes a key. Requests that begin after it resolves follow the change.
   * @throws ServiceError invalid_value, ledger_unavailable
   */
  async edit(id: string, changes: ApiKeyChanges, by?: Actor): Promise<void> {
    await editApiKey(this.#database, id, changes, this.#now(), by)
    await this.#apply({ keyId: id })
  }

  /**
   * Replaces the text of a key; the old text works until the grace period ends. The result is the only place that
   * ever holds the new text.
   * @throws ServiceError invalid_value, ledger_unavailable
   */
  async rotate(id: string, graceMs: number, by?: Actor): Promise<{ id: string; key: string }> {
    const rotated = await rotateApiKey(this.#database, id, graceMs, this.#now(), by)
    await this.#apply({ keyId: id })
    return rotated
  }

  /**
   * Revokes a key and cuts off its running requests. A second call changes nothing.
   * @throws ServiceError invalid_value (no such key), ledger_unavailable
   */
  async revoke(id: string, by?: Actor): Promise<void> {
    await revokeApiKey(this.#database, id, this.#now(), by)
    await this.#apply({ keyId: id })
  }

  /** Applies a change of an account to its keys; to be called after this process has written one. */
  refreshAccount(accountId: string): Promise<void> {
    return this.#apply({ accountId })
  }

  /** Stops following the database; `check` keeps the keys that it knows. */
  close(): void {
    this.#stopWatching()
    clearTimeout(this.#expiry)
    clearTimeout(this.#retry)
  }

  /** Reads changed keys. One refresh at a time, so that an older result never replaces a newer one. */
  async #refresh(scope: KeyScope): Promise<void> {
    const refresh = this.#lastRefresh.then(async () => {
      // Read before the keys, which are then at least as new.
      const mark = scope === 'all' ? await readChangeMark(this.#database) : this.#changeMark
      this.#usable.replace(scope, await readUsableKeys(this.#database, scope))
      this.#dropExpired()
      if (mark !== this.#changeMark) this.#onChangeMark((this.#changeMark = mark))
    })
    this.#lastRefresh = refresh.catch(() => undefined)
    await refresh
  }

  /** Applies a change that this process has written. If that fails it is retried, as the change must not be missed. */
  async #apply(scope: KeyScope): Promise<void> {
    try {
      await this.#refresh(scope)
    } catch (error) {
      this.#refreshUntilDone()
      throw error
    }
  }

  #refreshUntilDone(): void {
    clearTimeout(this.#retry)
    this.#refresh('all').catch(() => {
      this.#retry = setTimeout(() => this.#refreshUntilDone(), retryMs)
      this.#retry.unref()
    })
  }

  #dropExpired(): void {
    const nowMs = this.#now()
    const nextMs = this.#usable.dropExpired(nowMs)
    clearTimeout(this.#expiry)
    if (nextMs === Infinity) return
    this.#expiry = setTimeout(() => this.#dropExpired(), Math.min(nextMs - nowMs, timerMaxMs))
    this.#expiry.unref()
  }
}
