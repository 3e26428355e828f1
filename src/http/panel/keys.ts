import type { ApiKeyRecord } from '../../accounts/api-key-store.ts'
import type { ApiKeys } from '../../accounts/api-keys.ts'
import type { PanelUser } from '../../people/panel-sessions.ts'
import { ServiceError } from '../../errors.ts'
import { apiKeysMax, panelKeysListedDefault, panelKeysListedMax } from '../../limits.ts'
import {
  type IssuedPanelKey,
  keySorts,
  keyStates,
  NewPanelKey,
  NoFields,
  type PanelKey,
  PanelKeyChanges,
  type PanelKeyList,
  PanelKeyRotation,
} from '../../protocol/panel-keys.ts'
import type { RateLimits } from '../../usage/rate-limits.ts'
import { limitsFromWire, limitsToWire } from '../wire/limits.ts'
import { Query } from '../request/query.ts'
import type { PanelRoute } from '../route.ts'
import { limitStatesToWire } from '../operations/key.ts'

export type PanelKeyServices = {
  apiKeys: ApiKeys
  rateLimits: RateLimits
}

/** The keys of the account of who has signed in, and nobody else's. */
export function panelKeyRoutes(services: PanelKeyServices): PanelRoute[] {
  const { apiKeys } = services
  const session = { auth: 'session', role: 'any' } as const
  return [
    {
      ...session,
      method: 'GET',
      url: '/panel/api/keys',
      handler: (request, _reply, user) => listKeys(services, request.query, user),
    },
    {
      ...session,
      method: 'POST',
      url: '/panel/api/keys',
      body: NewPanelKey,
      handler: async (request, _reply, user): Promise<IssuedPanelKey> => {
        const { name, ...wanted } = request.body as NewPanelKey
        const { expiresMs, ...changes } = changesFromWire(wanted)
        const { id, key } = await apiKeys.create({
          accountId: user.accountId,
          name,
          ...changes,
          ...(expiresMs == null ? {} : { expiresMs }),
        })
        return { key, record: await findKey(services, user, id) }
      },
    },
    {
      ...session,
      method: 'GET',
      url: '/panel/api/keys/:id',
      handler: (request, _reply, user) => findKey(services, user, idOf(request.params)),
    },
    {
      ...session,
      method: 'POST',
      url: '/panel/api/keys/:id',
      body: PanelKeyChanges,
      handler: async (request, _reply, user): Promise<PanelKey> => {
        const { id } = await findKey(services, user, idOf(request.params))
        const changes = changesFromWire(request.body as PanelKeyChanges)
        if (Object.keys(changes).length > 0) await apiKeys.edit(id, changes)
        return findKey(services, user, id)
      },
    },
    {
      ...session,
      method: 'POST',
      url: '/panel/api/keys/:id/rotate',
      body: PanelKeyRotation,
      handler: async (request, _reply, user): Promise<IssuedPanelKey> => {
        const { id } = await findKey(services, user, idOf(request.params))
        const { key } = await apiKeys.rotate(id, (request.body as PanelKeyRotation).grace_ms)
        return { key, record: await findKey(services, user, id) }
      },
    },
    {
      ...session,
      method: 'POST',
      url: '/panel/api/keys/:id/revoke',
      body: NoFields,
      handler: async (request, _reply, user): Promise<PanelKey> => {
        const { id } = await findKey(services, user, idOf(request.params))
        await apiKeys.revoke(id)
        return findKey(services, user, id)
      },
    },
  ]
}

async function listKeys(
  services: PanelKeyServices,
  parameters: unknown,
  { accountId }: PanelUser,
): Promise<PanelKeyList> {
  const query = new Query(parameters, ['search', 'state', 'sort', 'order', 'offset', 'limit'])
  const state = query.choice('state', [...keyStates, 'all'])
  const sort = query.choice('sort', keySorts) ?? 'created'
  const { records, total } = await services.apiKeys.search(accountId, {
    search: query.text('search')?.normalize('NFC').trim(),
    state: state === 'all' ? undefined : state,
    sort,
    order: query.choice('order', ['asc', 'desc']) ?? (sort === 'name' ? 'asc' : 'desc'),
    offset: query.integer('offset', { min: 0, max: apiKeysMax }) ?? 0,
    limit: query.integer('limit', { min: 1, max: panelKeysListedMax }) ?? panelKeysListedDefault,
  })
  return { data: records.map((record) => toWire(services, record)), total }
}

/** @throws ServiceError not_found: of somebody else's key no more is told than of none at all */
async function findKey(
  services: PanelKeyServices,
  { accountId }: PanelUser,
  id: string,
): Promise<PanelKey> {
  const found = await services.apiKeys.find(accountId, id)
  if (found === undefined)
    throw new ServiceError('not_found', 'This account has no such API key.', { param: 'id' })
  return toWire(services, found)
}

function changesFromWire({ expires_ms: expiresMs, limits, ...same }: PanelKeyChanges) {
  return {
    ...same,
    ...(expiresMs === undefined ? {} : { expiresMs }),
    ...(limits === undefined ? {} : { limits: limitsFromWire(limits) }),
  }
}

function toWire({ rateLimits }: PanelKeyServices, record: ApiKeyRecord): PanelKey {
  const { id: keyId, accountId, limits } = record
  return {
    id: keyId,
    name: record.name,
    state: record.state,
    scopes: [...record.scopes],
    limits: limitsToWire(limits),
    use: limitStatesToWire(rateLimits.state({ keyId, accountId, limits, accountLimits: {} }).key),
    created_ms: record.createdMs,
    expires_ms: record.expiresMs ?? null,
    previous_expires_ms: record.previousExpiresMs ?? null,
    last_used_ms: record.lastUsedMs ?? null,
  }
}

function idOf(params: unknown): string {
  return (params as { id: string }).id
}
