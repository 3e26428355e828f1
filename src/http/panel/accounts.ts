import { accountsListedDefault } from '../../sign-in-limits.ts'
import { toActor } from '../../people/audit/audit-entries.ts'
import type { PanelAccounts } from '../../people/panel-accounts.ts'
import { accountContracts as contracts } from '../../protocol/operations/panel/accounts.ts'
import type { InviteList } from '../../protocol/panel-accounts.ts'
import type { UsageReport } from '../../usage/usage-report.ts'
import { operation, type PanelOperation } from '../operation.ts'
import { limitsFromWire } from '../wire/limits.ts'
import { toInvite, toIssuedInvite, toIssuedLink } from '../wire/panel/to-links.ts'
import { toPanelAccount } from '../wire/panel/to-panel-account.ts'
import { adminOnly } from '../access/check-session.ts'

type PanelAccountServices = {
  panelAccounts: PanelAccounts
  usageReport: UsageReport
  now: () => number
}

/** Operations for administrators to manage accounts and invites. */
export function panelAccountOperations({
  panelAccounts: accounts,
  usageReport,
  now,
}: PanelAccountServices): PanelOperation[] {
  const readUses = (found: readonly { id: string }[]) =>
    usageReport.monthOfAccounts(
      found.map(({ id }) => id),
      now(),
    )
  return [
    operation(
      contracts.list,
      adminOnly,
    )(async ({ query }) => {
      const { limit = accountsListedDefault, ...filter } = query
      const found = await accounts.list({ ...filter, limit: limit + 1 })
      const page = found.slice(0, limit)
      const uses = await readUses(page)
      const data = page.map((account) => toPanelAccount(account, uses.get(account.id)))
      return { data, has_more: found.length > limit, last_id: data.at(-1)?.id ?? null }
    }),
    operation(
      contracts.edit,
      adminOnly,
    )(async ({ params, user, body: { limits, ...changes } }) => {
      const wanted = limits === undefined ? changes : { ...changes, limits: limitsFromWire(limits) }
      const edited = await accounts.edit(params.id, wanted, toActor(user))
      return toPanelAccount(edited, (await readUses([edited])).get(edited.id))
    }),
    operation(
      contracts.resetPassword,
      adminOnly,
    )(async ({ params, user }) =>
      toIssuedLink(await accounts.createResetLink(params.id, toActor(user))),
    ),
    operation(contracts.listInvites, adminOnly)(async () => await listInvites(accounts)),
    operation(
      contracts.allowInvites,
      adminOnly,
    )(async ({ body, user }) => {
      await accounts.signUpPolicy.allowInvites(body.allowed, toActor(user))
      return await listInvites(accounts)
    }),
    operation(
      contracts.createInvite,
      adminOnly,
    )(async ({ body: { email, role }, user }) =>
      toIssuedInvite(await accounts.createInvite({ email, role }, toActor(user))),
    ),
    operation(
      contracts.revokeInvite,
      adminOnly,
    )(async ({ params, user }) => {
      await accounts.revokeInvite(params.id, toActor(user))
      return {}
    }),
  ]
}

async function listInvites(accounts: PanelAccounts): Promise<InviteList> {
  return {
    data: (await accounts.invites()).map(toInvite),
    sign_up: await accounts.signUpPolicy.mode(),
    can_change: accounts.signUpPolicy.canChange,
  }
}
