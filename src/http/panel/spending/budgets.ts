import { toActor } from '../../../people/audit/audit-entries.ts'
import { budgetContracts as contracts } from '../../../protocol/operations/panel/spending/budgets.ts'
import type { PanelBudget, PanelBudgetList } from '../../../protocol/panel/budgets.ts'
import { type BudgetUse, percentOf } from '../../../spending/budgets/budget-use.ts'
import type { BudgetWatch } from '../../../spending/budgets/budget-watch.ts'
import type { Budgets } from '../../../spending/budgets/budgets.ts'
import { microsText, picosText } from '../../../spending/money.ts'
import type { Prices } from '../../../spending/prices/prices.ts'
import { operation, type PanelOperation } from '../../operation.ts'
import { adminOnly } from '../../access/check-session.ts'

type BudgetServices = {
  budgets: Budgets
  budgetWatch: BudgetWatch
  prices: Prices
  now: () => number
}

/** The budgets of accounts, for administrators. */
export function panelBudgetOperations(services: BudgetServices): PanelOperation[] {
  const { budgets, now } = services
  return [
    operation(contracts.list, adminOnly)(() => listBudgets(services)),
    operation(
      contracts.set,
      adminOnly,
    )(async ({ body: { account_id: accountId, ...wanted }, user }) => {
      await budgets.set({ accountId, ...wanted }, toActor(user), now())
      return await listBudgets(services)
    }),
    operation(
      contracts.remove,
      adminOnly,
    )(async ({ body, user }) => {
      await budgets.remove(body.account_id, toActor(user), now())
      return await listBudgets(services)
    }),
  ]
}

async function listBudgets({ budgetWatch, prices }: BudgetServices): Promise<PanelBudgetList> {
  const { currency } = await prices.read()
  return { data: (await budgetWatch.use()).map(toBudget), currency: currency ?? null }
}

function toBudget(use: BudgetUse): PanelBudget {
  const { accountId, accountName, kind, amount, currency, thresholds } = use.budget
  const isMoney = kind === 'money'
  return {
    account_id: accountId,
    account_name: accountName,
    kind,
    amount: isMoney ? microsText(amount) : String(amount),
    currency: currency ?? null,
    thresholds: [...thresholds],
    used: isMoney ? picosText(use.used) : String(use.used),
    used_percent: percentOf(use),
  }
}
