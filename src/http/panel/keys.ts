import { type ApiKeyRecord, type KeyAuthor, notOwnKey } from '../../accounts/api-key-store.ts'
import type { ApiKeys } from '../../accounts/api-keys.ts'
import { toActor } from '../../people/audit/audit-entries.ts'
import type { PanelUser } from '../../people/panel-sessions.ts'
import type { QueryOf } from '../../protocol/operations/contract.ts'
import { keyContracts as contracts } from '../../protocol/operations/panel/keys.ts'
import { keysListedDefault } from '../../protocol/panel/values.ts'
import type { PanelKey, PanelKeyList } from '../../protocol/panel-keys.ts'
import type { Limited, RateLimiter } from '../../usage/limits/rate-limiter.ts'
import { operation, type PanelOperation } from '../operation.ts'
import { fromKeyChanges } from '../wire/panel/from-key-changes.ts'
import { toPanelKey } from '../wire/panel/to-panel-key.ts'
import { signedIn } from '../access/check-session.ts'

export type PanelKeyServices = {
  apiKeys: ApiKeys
  rateLimits: RateLimiter
}

/** The API keys of the signed-in user's own account. */
export function panelKeyOperations(services: PanelKeyServices): PanelOperation[] {
  const { apiKeys } = services
  return [
    operation(contracts.list, signedIn)(({ query, user }) => listKeys(services, query, user)),
    operation(
      contracts.create,
      signedIn,
    )(async ({ body: { name, ...wanted }, user }) => {
      const { accountId } = user
      const { expiresMs, ...changes } = fromKeyChanges(wanted)
      const expires = expiresMs == null ? {} : { expiresMs }
      const wantedKey = { accountId, name, ...changes, ...expires }
      const { key, record } = await apiKeys.create(wantedKey, toActor(user))
      return { key, record: await describe(services, record) }
    }),
    operation(contracts.find, signedIn)(({ params, user }) => findKey(services, user, params.id)),
    operation(
      contracts.edit,
      signedIn,
    )(async ({ params, body, user }) => {
      const changes = fromKeyChanges(body)
      if (Object.keys(changes).length === 0) return findKey(services, user, params.id)
      return describe(services, await apiKeys.edit(params.id, changes, toAuthor(user)))
    }),
    operation(
      contracts.rotate,
      signedIn,
    )(async ({ params, body, user }) => {
      const { key, record } = await apiKeys.rotate(params.id, body.grace_ms, toAuthor(user))
      return { key, record: await describe(services, record) }
    }),
    operation(
      contracts.revoke,
      signedIn,
    )(async ({ params, user }) =>
      describe(services, await apiKeys.revoke(params.id, toAuthor(user))),
    ),
  ]
}

/** Returns an author who may change only the keys of the user's own account. */
function toAuthor(user: PanelUser): KeyAuthor {
  return { ...toActor(user), accountId: user.accountId }
}

async function listKeys(
  services: PanelKeyServices,
  query: QueryOf<typeof contracts.list>,
  { accountId }: PanelUser,
): Promise<PanelKeyList> {
  const { state, sort = 'created', offset = 0, limit = keysListedDefault } = query
  const { records, total } = await services.apiKeys.list.search(accountId, {
    search: query.search?.normalize('NFC').trim(),
    state: state === 'all' ? undefined : state,
    sort,
    order: query.order ?? (sort === 'name' ? 'asc' : 'desc'),
    offset,
    limit,
  })
  await services.rateLimits.look(records.map(toLimited))
  return { data: records.map((record) => withUse(services, record)), total }
}

/** @throws ServiceError not_found; another account's key looks the same as one that does not exist */
async function findKey(
  services: PanelKeyServices,
  { accountId }: PanelUser,
  id: string,
): Promise<PanelKey> {
  const found = await services.apiKeys.list.find(accountId, id)
  if (found === undefined) throw notOwnKey()
  return describe(services, found)
}

async function describe(services: PanelKeyServices, record: ApiKeyRecord): Promise<PanelKey> {
  await services.rateLimits.look([toLimited(record)])
  return withUse(services, record)
}

function withUse({ rateLimits }: PanelKeyServices, record: ApiKeyRecord): PanelKey {
  return toPanelKey(record, rateLimits.state(toLimited(record)).key)
}

function toLimited({ id: keyId, accountId, limits }: ApiKeyRecord): Limited {
  return { keyId, accountId, limits, accountLimits: {} }
}
