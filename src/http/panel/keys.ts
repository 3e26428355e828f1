import type { ApiKeyRecord } from '../../accounts/api-key-store.ts'
import type { ApiKeys } from '../../accounts/api-keys.ts'
import { ServiceError } from '../../errors.ts'
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

export type PanelKeyServices = {
  apiKeys: ApiKeys
  rateLimits: RateLimiter
}

/** The API keys of the signed-in user's own account. */
export function panelKeyOperations(services: PanelKeyServices): PanelOperation[] {
  const { apiKeys } = services
  const signedIn = { auth: 'session', role: 'any' } as const
  return [
    operation(contracts.list, signedIn)(({ query, user }) => listKeys(services, query, user)),
    operation(
      contracts.create,
      signedIn,
    )(async ({ body: { name, ...wanted }, user }) => {
      const { accountId } = user
      const { expiresMs, ...changes } = fromKeyChanges(wanted)
      const expires = expiresMs == null ? {} : { expiresMs }
      const { id, key } = await apiKeys.create(
        { accountId, name, ...changes, ...expires },
        toActor(user),
      )
      return { key, record: await findKey(services, user, id) }
    }),
    operation(contracts.find, signedIn)(({ params, user }) => findKey(services, user, params.id)),
    operation(
      contracts.edit,
      signedIn,
    )(async ({ params, body, user }) => {
      const { id } = await findKey(services, user, params.id)
      const changes = fromKeyChanges(body)
      if (Object.keys(changes).length > 0) await apiKeys.edit(id, changes, toActor(user))
      return findKey(services, user, id)
    }),
    operation(
      contracts.rotate,
      signedIn,
    )(async ({ params, body, user }) => {
      const { id } = await findKey(services, user, params.id)
      const { key } = await apiKeys.rotate(id, body.grace_ms, toActor(user))
      return { key, record: await findKey(services, user, id) }
    }),
    operation(
      contracts.revoke,
      signedIn,
    )(async ({ params, user }) => {
      const { id } = await findKey(services, user, params.id)
      await apiKeys.revoke(id, toActor(user))
      return findKey(services, user, id)
    }),
  ]
}

async function listKeys(
  services: PanelKeyServices,
  query: QueryOf<typeof contracts.list>,
  { accountId }: PanelUser,
): Promise<PanelKeyList> {
  const { state, sort = 'created', offset = 0, limit = keysListedDefault } = query
  const { records, total } = await services.apiKeys.search(accountId, {
    search: query.search?.normalize('NFC').trim(),
    state: state === 'all' ? undefined : state,
    sort,
    order: query.order ?? (sort === 'name' ? 'asc' : 'desc'),
    offset,
    limit,
  })
  await services.rateLimits.look(records.map(toLimited))
  return { data: records.map((record) => describe(services, record)), total }
}

/** @throws ServiceError not_found, the same for another account's key as for one that does not exist */
async function findKey(
  services: PanelKeyServices,
  { accountId }: PanelUser,
  id: string,
): Promise<PanelKey> {
  const found = await services.apiKeys.find(accountId, id)
  if (found === undefined)
    throw new ServiceError('not_found', 'This account has no such API key.', { param: 'id' })
  await services.rateLimits.look([toLimited(found)])
  return describe(services, found)
}

function describe({ rateLimits }: PanelKeyServices, record: ApiKeyRecord): PanelKey {
  return toPanelKey(record, rateLimits.state(toLimited(record)).key)
}

function toLimited({ id: keyId, accountId, limits }: ApiKeyRecord): Limited {
  return { keyId, accountId, limits, accountLimits: {} }
}
