import { timingSafeEqual } from 'node:crypto'
import type { Actor } from '../storage/audit/audit-log.ts'
import { readChangeMark } from '../storage/change-mark.ts'
import type { Database } from '../storage/database.ts'
import { minuteMs } from '../time/durations.ts'
import { ApiKeyList } from './api-key-list.ts'
import {
  type ApiKeyChanges,
  type ApiKeyRecord,
  createApiKey,
  editApiKey,
  type IssuedKey,
  type KeyAuthor,
  type NewApiKey,
  revokeApiKey,
  rotateApiKey,
  setLastUsed,
  toRecord,
} from './api-key-store.ts'
import { parseApiKey } from './api-key-text.ts'
import type { Caller } from './caller.ts'
import { type KeyScope, readUsableKeys, UsableKeys } from './usable-keys.ts'
import type { WrittenKey } from './write-key.ts'

const lastUsedStepMs = 60_000
const retryMs = 250
/** The clock may be set while a timer runs, so expiry is checked at least this often. */
const expiryCheckMs = minuteMs

/** A created or rotated key. Only this value holds its text, which is stored nowhere. */
type NewKey = { id: string; key: string; record: ApiKeyRecord }

/**
 * Keeps every usable key in memory, by its digest. A change made here takes effect when its promise resolves; a change
 * made by another process takes effect within a second.
 */
export class ApiKeys {
  readonly list: ApiKeyList
  readonly #database: Database
  readonly #now: () => number
  readonly #stopWatching: () => void
  readonly #usable = new UsableKeys()
  #lastWork: Promise<unknown> = Promise.resolve()
  #expiry: NodeJS.Timeout | undefined
  /** When expired keys were last dropped, by the clock of that time. */
  #droppedMs = -Infinity
  #retry: NodeJS.Timeout | undefined
  /** A refresh of all keys that has not begun yet. */
  #nextRefresh: Promise<void> | undefined
  #changeMark = 0
  #onChangeMark: (mark: number) => void = () => {}

  private constructor(database: Database, now: () => number) {
    this.#database = database
    this.#now = now
    this.list = new ApiKeyList(database, now)
    this.#stopWatching = database.onForeignCommit(() => this.#refreshUntilDone())
  }

  static async open(database: Database, now: () => number = Date.now): Promise<ApiKeys> {
    const keys = new ApiKeys(database, now)
    await keys.#refresh('all')
    return keys
  }

  /**
   * Calls `listener` with the mark of the latest change that the keys in memory include: once now, and again whenever
   * changes of another process have been applied.
   */
  onChangeMark(listener: (mark: number) => void): void {
    this.#onChangeMark = listener
    listener(this.#changeMark)
  }

  /** Returns the caller of a usable key. Returns undefined for any other text, without saying why. */
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

  /** @throws ServiceError invalid_value, too_many_keys, ledger_unavailable */
  create(wanted: NewApiKey, by?: Actor): Promise<NewKey> {
    return this.#issue((nowMs) => createApiKey(this.#database, wanted, nowMs, by))
  }

  /**
   * Changes a key. The change applies to requests that begin after the promise resolves.
   * @throws ServiceError invalid_value, not_found, key_revoked, ledger_unavailable
   */
  edit(id: string, changes: ApiKeyChanges, by?: KeyAuthor): Promise<ApiKeyRecord> {
    return this.#write((nowMs) => editApiKey(this.#database, id, changes, nowMs, by))
  }

  /**
   * Replaces the text of a key; the old text works until the grace period ends.
   * @throws ServiceError invalid_value, not_found, key_revoked, key_changed, ledger_unavailable
   */
  rotate(id: string, graceMs: number, by?: KeyAuthor): Promise<NewKey> {
    return this.#issue((nowMs) => rotateApiKey(this.#database, id, graceMs, nowMs, by))
  }

  /**
   * Revokes a key and cuts off its running requests. A second call changes nothing.
   * @throws ServiceError not_found, ledger_unavailable
   */
  revoke(id: string, by?: KeyAuthor): Promise<ApiKeyRecord> {
    return this.#write((nowMs) => revokeApiKey(this.#database, id, nowMs, by))
  }

  /**
   * Applies a change of an account to its keys. Call it after this process has written the change. If it fails, it
   * throws and retries in the background, because the change must not be missed.
   */
  async refreshAccount(accountId: string): Promise<void> {
    try {
      await this.#refresh({ accountId })
    } catch (error) {
      this.#refreshUntilDone()
      throw error
    }
  }

  /** Stops following the database; `check` keeps working with the last known keys. */
  close(): void {
    this.#stopWatching()
    clearTimeout(this.#expiry)
    clearTimeout(this.#retry)
  }

  async #issue(write: (nowMs: number) => Promise<IssuedKey>): Promise<NewKey> {
    let key = ''
    const record = await this.#write(async (nowMs) => {
      const issued = await write(nowMs)
      key = issued.key
      return issued.row
    })
    return { id: record.id, key, record }
  }

  /** Writes a key, then updates the copy in memory from the written row without reading it again. */
  #write(write: (nowMs: number) => Promise<WrittenKey>): Promise<ApiKeyRecord> {
    return this.#inTurn(async () => {
      const nowMs = this.#now()
      const row = await write(nowMs)
      this.#usable.apply(row)
      this.#dropExpired()
      return toRecord(row, nowMs)
    })
  }

  #refresh(scope: KeyScope): Promise<void> {
    return this.#inTurn(async () => {
      if (scope === 'all') this.#nextRefresh = undefined
      // Reads the mark before the keys, so that the keys are at least as new as the mark.
      const mark = scope === 'all' ? await readChangeMark(this.#database) : this.#changeMark
      this.#usable.replace(scope, await readUsableKeys(this.#database, scope))
      this.#dropExpired()
      if (mark !== this.#changeMark) this.#onChangeMark((this.#changeMark = mark))
    })
  }

  /** Runs one read or write of keys at a time, so that an older row never replaces a newer one. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#lastWork.then(work)
    this.#lastWork = result.catch(() => undefined)
    return result
  }

  #refreshUntilDone(): void {
    clearTimeout(this.#retry)
    // A refresh that waits for its turn will see this change too.
    if (this.#nextRefresh !== undefined) return
    this.#nextRefresh = this.#refresh('all')
    this.#nextRefresh.catch(() => {
      clearTimeout(this.#retry)
      this.#retry = setTimeout(() => this.#refreshUntilDone(), retryMs)
      this.#retry.unref()
    })
  }

  #dropExpired(): void {
    const nowMs = this.#now()
    // A clock that was set back was ahead before, and may have expired keys too early.
    if (nowMs < this.#droppedMs) this.#refreshUntilDone()
    this.#droppedMs = nowMs
    const nextMs = this.#usable.dropExpired(nowMs)
    clearTimeout(this.#expiry)
    this.#expiry = setTimeout(() => this.#dropExpired(), Math.min(nextMs - nowMs, expiryCheckMs))
    this.#expiry.unref()
  }
}
