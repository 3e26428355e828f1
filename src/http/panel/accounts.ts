import { accountsListedDefault } from '../../limits.ts'
import type { PanelAccounts } from '../../people/panel-accounts.ts'
import { accountContracts as contracts } from '../../protocol/operations/panel/accounts.ts'
import { operation, type PanelOperation } from '../operation.ts'
import { limitsFromWire } from '../wire/limits.ts'
import { toInvite, toIssuedInvite, toIssuedLink } from '../wire/panel/to-links.ts'
import { toPanelAccount } from '../wire/panel/to-panel-account.ts'

/** The management of accounts and invites by administrators. */
export function panelAccountOperations(accounts: PanelAccounts): PanelOperation[] {
  const admin = { auth: 'session', role: 'admin' } as const
  return [
    operation(
      contracts.list,
      admin,
    )(async ({ query }) => {
      const { limit = accountsListedDefault, ...filter } = query
      const found = await accounts.list({ ...filter, limit: limit + 1 })
      const data = found.slice(0, limit).map(toPanelAccount)
      return { data, has_more: found.length > limit, last_id: data.at(-1)?.id ?? null }
    }),
    operation(
      contracts.edit,
      admin,
    )(async ({ params, body: { limits, ...changes } }) => {
      const wanted = limits === undefined ? changes : { ...changes, limits: limitsFromWire(limits) }
      return toPanelAccount(await accounts.edit(params.id, wanted))
    }),
    operation(
      contracts.resetPassword,
      admin,
    )(async ({ params }) => toIssuedLink(await accounts.createResetLink(params.id))),
    operation(
      contracts.listInvites,
      admin,
    )(async () => ({
      data: (await accounts.invites()).map(toInvite),
    })),
    operation(
      contracts.createInvite,
      admin,
    )(async ({ body: { email, role } }) =>
      toIssuedInvite(await accounts.createInvite({ email, role })),
    ),
    operation(
      contracts.revokeInvite,
      admin,
    )(async ({ params }) => {
      await accounts.revokeInvite(params.id)
      return {}
    }),
  ]
}
