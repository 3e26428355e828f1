import type { AccountQuery, ListedAccount } from '../../accounts/account-list.ts'
import type { Invite as StoredInvite, Link, PanelAccounts } from '../../people/panel-accounts.ts'
import { accountsListedDefault, accountsListedMax } from '../../limits.ts'
import {
  AccountChanges,
  type Invite,
  type InviteList,
  type IssuedInvite,
  type IssuedLink,
  NewInvite,
  type PanelAccount,
  type PanelAccountList,
} from '../../protocol/panel-accounts.ts'
import { NoFields } from '../../protocol/panel-keys.ts'
import { limitsFromWire, limitsToWire } from '../wire/limits.ts'
import { Query } from '../request/query.ts'
import type { PanelRoute } from '../route.ts'

/** What administrators do with the accounts of others. */
export function panelAccountRoutes(accounts: PanelAccounts): PanelRoute[] {
  const idOf = (params: unknown) => (params as { id: string }).id
  return [
    {
      method: 'GET',
      url: '/panel/api/accounts',
      auth: 'session',
      role: 'admin',
      handler: async (request): Promise<PanelAccountList> => {
        const { limit, ...query } = parseAccountQuery(request.query)
        const found = await accounts.list({ ...query, limit: limit + 1 })
        const data = found.slice(0, limit).map(toWire)
        return { data, has_more: found.length > limit, last_id: data.at(-1)?.id ?? null }
      },
    },
    {
      method: 'POST',
      url: '/panel/api/accounts/:id',
      auth: 'session',
      role: 'admin',
      body: AccountChanges,
      handler: async (request): Promise<PanelAccount> => {
        const { limits, ...changes } = request.body as AccountChanges
        const wanted =
          limits === undefined ? changes : { ...changes, limits: limitsFromWire(limits) }
        return toWire(await accounts.edit(idOf(request.params), wanted))
      },
    },
    {
      method: 'POST',
      url: '/panel/api/accounts/:id/reset-password',
      auth: 'session',
      role: 'admin',
      body: NoFields,
      handler: async (request): Promise<IssuedLink> =>
        linkToWire(await accounts.createResetLink(idOf(request.params))),
    },
    {
      method: 'GET',
      url: '/panel/api/invites',
      auth: 'session',
      role: 'admin',
      handler: async (): Promise<InviteList> => ({
        data: (await accounts.invites()).map(inviteToWire),
      }),
    },
    {
      method: 'POST',
      url: '/panel/api/invites',
      auth: 'session',
      role: 'admin',
      body: NewInvite,
      handler: async (request): Promise<IssuedInvite> => {
        const { email, role } = request.body as NewInvite
        const link = await accounts.createInvite({ email, role })
        return { id: link.id, ...linkToWire(link) }
      },
    },
    {
      method: 'POST',
      url: '/panel/api/invites/:id/revoke',
      auth: 'session',
      role: 'admin',
      body: NoFields,
      handler: async (request) => {
        await accounts.revokeInvite(idOf(request.params))
        return {}
      },
    },
  ]
}

/** @throws ServiceError unsupported_parameter and those of `Query` */
function parseAccountQuery(values: unknown): AccountQuery {
  const query = new Query(values, ['search', 'after', 'limit'])
  const search = query.text('search')
  const after = query.text('after')
  return {
    limit: query.integer('limit', { min: 1, max: accountsListedMax }) ?? accountsListedDefault,
    ...(search !== undefined && { search }),
    ...(after !== undefined && { after }),
  }
}

function toWire(account: ListedAccount): PanelAccount {
  const { id, name, email, role, disabled, keys, use } = account
  return {
    id,
    name,
    email,
    role,
    disabled,
    created_ms: account.createdMs,
    last_seen_ms: account.lastSeenMs ?? null,
    keys,
    use: {
      requests: use.requests,
      prompt_tokens: use.promptTokens,
      completion_tokens: use.completionTokens,
    },
    limits: limitsToWire(account.limits),
  }
}

function linkToWire({ url, expiresMs }: Link): IssuedLink {
  return { url, expires_ms: expiresMs }
}

function inviteToWire({ id, email, role, createdMs, expiresMs }: StoredInvite): Invite {
  return { id, email, role, created_ms: createdMs, expires_ms: expiresMs }
}
