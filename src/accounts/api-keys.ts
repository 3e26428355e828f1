import { timingSafeEqual } from 'node:crypto'
import type { Database } from '../storage/database.ts'
import {
  type ApiKeyRecord,
  createApiKey,
  listApiKeys,
  type NewApiKey,
  revokeApiKey,
  selectUsable,
  setLastUsed,
} from './api-key-store.ts'
import { parseApiKey } from './api-key-text.ts'

export type Caller = {
  accountId: string
  keyId: string
  /** Aborted when the key is revoked or expires, so that what it started can be cut short. */
  revoked: AbortSignal
}

const lastUsedStepMs = 60_000
const retryMs = 250
/** The longest that a timer of Node can wait is a little more. */
const timerMaxMs = 2_000_000_000

/** Every usable key by its digest, in memory; what other processes change is seen within a second. */
export class ApiKeys {
  readonly #database: Database
  readonly #now: () => number
  readonly #stopWatching: () => void
  #keys = new Map<string, Key>()
  #lastLoad: Promise<void> = Promise.resolve()
  #expiry: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined

  private constructor(database: Database, now: () => number) {
    this.#database = database
    this.#now = now
    this.#stopWatching = database.onForeignCommit(() => this.#follow())
  }

  static async open(database: Database, now: () => number = Date.now): Promise<ApiKeys> {
    const keys = new ApiKeys(database, now)
    await keys.#reload()
    return keys
  }

  /** How many keys can be used. */
  get size(): number {
    return this.#keys.size
  }

  /** Undefined for whatever is not a usable key; the reason is not told. */
  check(rawKey: string): Caller | undefined {
    const digest = parseApiKey(rawKey)
    const key = digest === undefined ? undefined : this.#keys.get(digest)
    if (digest === undefined || key === undefined) return undefined
    if (!timingSafeEqual(key.digest, Buffer.from(digest, 'latin1'))) return undefined
    const nowMs = this.#now()
    if (nowMs >= key.expiresMs) return undefined
    if (nowMs - key.lastUsedMs >= lastUsedStepMs) {
      key.lastUsedMs = nowMs
      this.#database.writeSoon({ steps: [setLastUsed({ id: key.caller.keyId, nowMs })] })
    }
    return key.caller
  }

  /**
   * The key itself is in the result and nowhere else.
   * @throws ServiceError invalid_value, ledger_unavailable
   */
  async create(wanted: NewApiKey): Promise<{ id: string; key: string }> {
    const created = await createApiKey(this.#database, wanted, this.#now())
    await this.#reload()
    return created
  }

  list(): Promise<ApiKeyRecord[]> {
    return listApiKeys(this.#database, this.#now())
  }

  /**
   * In force when it resolves; a second time changes nothing.
   * @throws ServiceError invalid_value (no such key), ledger_unavailable
   */
  async revoke(id: string): Promise<void> {
    await revokeApiKey(this.#database, id, this.#now())
    await this.#reload()
  }

  /** Stops following the database; `check` goes on with what it knows. */
  close(): void {
    this.#stopWatching()
    clearTimeout(this.#expiry)
    clearTimeout(this.#retry)
  }

  /** A change must not be missed, so a failed load is tried again until one goes through. */
  #follow(): void {
    clearTimeout(this.#retry)
    this.#reload().catch(() => {
      this.#retry = setTimeout(() => this.#follow(), retryMs)
      this.#retry.unref()
    })
  }

  /** One load after the other, so that an older answer never replaces a newer one. */
  #reload(): Promise<void> {
    const load = this.#lastLoad.then(() => this.#load())
    this.#lastLoad = load.catch(() => undefined)
    return load
  }

  async #load(): Promise<void> {
    const rows = await this.#database.read(selectUsable())
    const before = this.#keys
    this.#keys = new Map()
    for (const row of rows) {
      const known = before.get(row.digest)
      before.delete(row.digest)
      const key = known ?? createKey(row.id, row.account_id, row.digest)
      key.expiresMs = row.expires_ms ?? Infinity
      key.lastUsedMs = Math.max(key.lastUsedMs, row.last_used_ms ?? -Infinity)
      this.#keys.set(row.digest, key)
    }
    for (const gone of before.values()) gone.revocation.abort()
    this.#expire()
  }

  #expire(): void {
    const nowMs = this.#now()
    let nextMs = Infinity
    for (const [digest, key] of this.#keys) {
      if (nowMs < key.expiresMs) nextMs = Math.min(nextMs, key.expiresMs)
      else {
        this.#keys.delete(digest)
        key.revocation.abort()
      }
    }
    clearTimeout(this.#expiry)
    if (nextMs === Infinity) return
    this.#expiry = setTimeout(() => this.#expire(), Math.min(nextMs - nowMs, timerMaxMs))
    this.#expiry.unref()
  }
}

type Key = {
  digest: Buffer
  caller: Caller
  revocation: AbortController
  expiresMs: number
  lastUsedMs: number
}

function createKey(keyId: string, accountId: string, digest: string): Key {
  const revocation = new AbortController()
  return {
    digest: Buffer.from(digest, 'latin1'),
    caller: { accountId, keyId, revoked: revocation.signal },
    revocation,
    expiresMs: Infinity,
    lastUsedMs: -Infinity,
  }
}
