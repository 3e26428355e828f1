import { keyLimits, type Limits } from '../key-limits.ts'
import type { Database } from '../storage/database.ts'
import { queries } from '../storage/statement.ts'
import type { ApiKeyRow } from '../storage/tables.ts'
import { toLimits, toScopes } from './allowance.ts'
import type { Caller } from './caller.ts'
import { isUsable, toAccountLimits, type WrittenKey } from './write-key.ts'

/** The keys that a change affects. */
export type KeyScope = 'all' | { accountId: string }

type UsableRow = ApiKeyRow & { accountName: string; accountLimits: Limits }

type UsableKey = {
  readonly digest: Buffer
  readonly caller: Caller
  readonly revocation: AbortController
  readonly expiresMs: number
  lastUsedMs: number
}

/** Reads the keys of a scope that are not revoked and whose account is not disabled. */
export async function readUsableKeys(database: Database, scope: KeyScope): Promise<UsableRow[]> {
  const [keys, accounts] = await Promise.all([
    database.read(selectKeys(scope)),
    database.read(selectAccounts(scope)),
  ])
  const byId = new Map(
    accounts.map((row) => [row.id, { accountName: row.name, accountLimits: toLimits(row) }]),
  )
  const unknown = { accountName: '', accountLimits: {} }
  return keys.map((row) => ({ ...row, ...(byId.get(row.account_id) ?? unknown) }))
}

/** Keys by their digest. A rotated key has two entries until its grace period ends. */
export class UsableKeys {
  readonly #byDigest = new Map<string, UsableKey>()
  readonly #digestsOfKey = new Map<string, string[]>()

  get(digest: string): UsableKey | undefined {
    return this.#byDigest.get(digest)
  }

  /** Replaces the keys of the scope by these rows. Aborts the requests of keys that are no longer among them. */
  replace(scope: KeyScope, rows: readonly UsableRow[]): void {
    const gone = new Set(this.#keyIdsOf(scope))
    for (const row of rows) {
      gone.delete(row.id)
      this.#replaceKey(row)
    }
    for (const keyId of gone) this.#drop(keyId, this.#digestsOfKey.get(keyId) ?? [])
  }

  /** Applies one written key, and aborts its requests if the key can no longer be used. */
  apply(row: WrittenKey): void {
    if (!isUsable(row)) return this.#drop(row.id, this.#digestsOfKey.get(row.id) ?? [])
    const account = { accountName: row.account_name, accountLimits: toAccountLimits(row) }
    this.#replaceKey({ ...row, ...account })
  }

  /** Drops expired keys. Returns the time of the next expiry, or Infinity if there is none. */
  dropExpired(nowMs: number): number {
    let nextMs = Infinity
    for (const [digest, { caller, expiresMs }] of this.#byDigest)
      if (nowMs >= expiresMs) this.#drop(caller.keyId, [digest])
      else nextMs = Math.min(nextMs, expiresMs)
    return nextMs
  }

  #keyIdsOf(scope: KeyScope): string[] {
    if (scope === 'all') return [...this.#digestsOfKey.keys()]
    const keys = [...this.#byDigest.values()]
    return keys
      .filter(({ caller }) => caller.accountId === scope.accountId)
      .map(({ caller }) => caller.keyId)
  }

  #replaceKey(row: UsableRow): void {
    const before = this.#digestsOfKey.get(row.id) ?? []
    const entries = digestsOf(row)
    for (const { digest, expiresMs } of entries)
      this.#byDigest.set(digest, toUsableKey(row, digest, expiresMs, this.#byDigest.get(digest)))
    const digests = entries.map(({ digest }) => digest)
    this.#digestsOfKey.set(row.id, digests)
    for (const digest of before) if (!digests.includes(digest)) this.#dropDigest(digest)
  }

  #drop(keyId: string, digests: readonly string[]): void {
    for (const digest of digests) this.#dropDigest(digest)
    const left = this.#digestsOfKey.get(keyId)?.filter((digest) => !digests.includes(digest)) ?? []
    if (left.length === 0) this.#digestsOfKey.delete(keyId)
    else this.#digestsOfKey.set(keyId, left)
  }

  #dropDigest(digest: string): void {
    this.#byDigest.get(digest)?.revocation.abort()
    this.#byDigest.delete(digest)
  }
}

/** Returns the digests under which the key is stored: its own and, in the grace period of a rotation, the old one. */
function digestsOf(row: ApiKeyRow): { digest: string; expiresMs: number }[] {
  const expiresMs = row.expires_ms ?? Infinity
  const current = { digest: row.digest, expiresMs }
  if (row.previous_digest === null) return [current]
  const previousMs = Math.min(expiresMs, row.previous_expires_ms ?? -Infinity)
  return [current, { digest: row.previous_digest, expiresMs: previousMs }]
}

/** Builds the entry of a key. An edited key keeps its abort signal, so that its running requests go on. */
function toUsableKey(
  row: UsableRow,
  digest: string,
  expiresMs: number,
  before: UsableKey | undefined,
): UsableKey {
  const revocation = before?.revocation ?? new AbortController()
  return {
    digest: before?.digest ?? Buffer.from(digest, 'latin1'),
    revocation,
    expiresMs,
    lastUsedMs: Math.max(before?.lastUsedMs ?? -Infinity, row.last_used_ms ?? -Infinity),
    caller: {
      accountId: row.account_id,
      keyId: row.id,
      name: row.name,
      accountName: row.accountName,
      scopes: toScopes(row.scopes),
      limits: toLimits(row),
      accountLimits: row.accountLimits,
      createdMs: row.created_ms,
      expiresMs: expiresMs === Infinity ? undefined : expiresMs,
      revoked: revocation.signal,
    },
  }
}

function selectKeys(scope: KeyScope) {
  const usable = queries
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .selectAll('api_keys')
    .where('revoked_ms', 'is', null)
    .where('accounts.disabled_ms', 'is', null)
  return scope === 'all' ? usable : usable.where('accounts.id', '=', scope.accountId)
}

function selectAccounts(scope: KeyScope) {
  const limits = queries
    .selectFrom('accounts')
    .select(['id', 'name', ...keyLimits.map(({ wireName }) => wireName)])
  return scope === 'all' ? limits : limits.where('id', '=', scope.accountId)
}
