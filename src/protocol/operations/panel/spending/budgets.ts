import { BudgetAccount, NewBudget, PanelBudgetList } from '../../../panel/budgets.ts'
import { contract, json } from '../../contract.ts'

const path = '/panel/api/budgets'

/** Amounts that accounts may use in a month before alerts are raised. */
export const budgetContracts = {
  list: contract({ method: 'GET', path, replies: json(PanelBudgetList) }),
  set: contract({ method: 'POST', path, body: NewBudget, replies: json(PanelBudgetList) }),
  remove: contract({
    method: 'POST',
    path: `${path}/remove`,
    body: BudgetAccount,
    replies: json(PanelBudgetList),
  }),
}
