import { timingSafeEqual } from 'node:crypto'
import type { Database } from '../storage/database.ts'
import type { ApiKeyRow } from '../storage/tables.ts'
import { type Limits, type Scope, toLimits, toScopes } from './allowance.ts'
import {
  type ApiKeyChanges,
  type ApiKeyRecord,
  createApiKey,
  editApiKey,
  listApiKeys,
  type NewApiKey,
  revokeApiKey,
  rotateApiKey,
  selectAccountLimits,
  selectUsable,
  setLastUsed,
} from './api-key-store.ts'
import { type ApiKeyQuery, findApiKey, nameApiKeys, searchApiKeys } from './api-key-list.ts'
import { parseApiKey } from './api-key-text.ts'

export type Caller = Readonly<{
  accountId: string
  keyId: string
  name: string
  scopes: readonly Scope[]
  limits: Limits
  accountLimits: Limits
  createdMs: number
  /** Of what was sent: after a rotation the key before may end earlier. */
  expiresMs: number | undefined
  /** Aborted when the key is revoked or expires, so that what it started can be cut short. */
  revoked: AbortSignal
}>

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
    await keys.reload()
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
    await this.reload()
    return created
  }

  /**
   * One page of an account's keys, and how many there are on all pages.
   * @throws ServiceError ledger_unavailable
   */
  search(
    accountId: string,
    query: ApiKeyQuery,
  ): Promise<{ records: ApiKeyRecord[]; total: number }> {
    return searchApiKeys(this.#database, accountId, query, this.#now())
  }

  /**
   * Undefined: the account has no such key.
   * @throws ServiceError ledger_unavailable
   */
  find(accountId: string, id: string): Promise<ApiKeyRecord | undefined> {
    return findApiKey(this.#database, accountId, id, this.#now())
  }

  /**
   * The names of the account's keys among these ids.
   * @throws ServiceError ledger_unavailable
   */
  names(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return nameApiKeys(this.#database, accountId, ids)
  }

  list(): Promise<ApiKeyRecord[]> {
    return listApiKeys(this.#database, this.#now())
  }

  /**
   * In force when it resolves, for what begins then.
   * @throws ServiceError invalid_value, ledger_unavailable
   */
  async edit(id: string, changes: ApiKeyChanges): Promise<void> {
    await editApiKey(this.#database, id, changes, this.#now())
    await this.reload()
  }

  /**
   * The new key is in the result and nowhere else; the one before is good for the grace period, too.
   * @throws ServiceError invalid_value, ledger_unavailable
   */
  async rotate(id: string, graceMs: number): Promise<{ id: string; key: string }> {
    const rotated = await rotateApiKey(this.#database, id, graceMs, this.#now())
    await this.reload()
    return rotated
  }

  /**
   * In force when it resolves; a second time changes nothing.
   * @throws ServiceError invalid_value (no such key), ledger_unavailable
   */
  async revoke(id: string): Promise<void> {
    await revokeApiKey(this.#database, id, this.#now())
    await this.reload()
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
    this.reload().catch(() => {
      this.#retry = setTimeout(() => this.#follow(), retryMs)
      this.#retry.unref()
    })
  }

  /**
   * To be called after a change of an account; what other processes change is seen anyway.
   * One load after the other, so that an older answer never replaces a newer one.
   */
  reload(): Promise<void> {
    const load = this.#lastLoad.then(() => this.#load())
    this.#lastLoad = load.catch(() => undefined)
    return load
  }

  async #load(): Promise<void> {
    const rows = await this.#database.read(selectUsable())
    const accounts = new Map(
      (await this.#database.read(selectAccountLimits())).map((row) => [row.id, toLimits(row)]),
    )
    const before = this.#keys
    this.#keys = new Map()
    for (const row of rows) {
      const allowed = {
        accountId: row.account_id,
        keyId: row.id,
        name: row.name,
        scopes: toScopes(row.scopes),
        limits: toLimits(row),
        accountLimits: accounts.get(row.account_id) ?? {},
        createdMs: row.created_ms,
      }
      for (const { digest, expiresMs } of digestsOf(row)) {
        const key = before.get(digest) ?? newKey(digest)
        before.delete(digest)
        Object.assign(key.caller, allowed, {
          expiresMs: expiresMs === Infinity ? undefined : expiresMs,
        })
        key.expiresMs = expiresMs
        key.lastUsedMs = Math.max(key.lastUsedMs, row.last_used_ms ?? -Infinity)
        this.#keys.set(digest, key)
      }
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

/** The key and, for the grace period of a rotation, the one before. */
function digestsOf(row: ApiKeyRow): { digest: string; expiresMs: number }[] {
  const expiresMs = row.expires_ms ?? Infinity
  const current = { digest: row.digest, expiresMs }
  if (row.previous_digest === null) return [current]
  const previousMs = Math.min(expiresMs, row.previous_expires_ms ?? -Infinity)
  return [current, { digest: row.previous_digest, expiresMs: previousMs }]
}

/** The caller stays the same object for as long as the key can be used. */
function newKey(digest: string): Key {
  const revocation = new AbortController()
  return {
    digest: Buffer.from(digest, 'latin1'),
    caller: {
      accountId: '',
      keyId: '',
      name: '',
      scopes: [],
      limits: {},
      accountLimits: {},
      createdMs: 0,
      expiresMs: undefined,
      revoked: revocation.signal,
    },
    revocation,
    expiresMs: Infinity,
    lastUsedMs: -Infinity,
  }
}
