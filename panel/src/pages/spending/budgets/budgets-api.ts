import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { accountsListedMax } from '../../../../../src/sign-in-limits.ts'
import type { PanelBudgetList } from '../../../../../src/protocol/panel/budgets.ts'
import { type ApiInput, callApi } from '../../../api.ts'

const refreshMs = 60_000

export const budgetsQuery = queryOptions({
  queryKey: ['budgets'],
  queryFn: ({ signal }) => callApi('GET /panel/api/budgets', { signal }),
  refetchInterval: refreshMs,
})

/** The accounts that the form offers. If there are more than `accountsListedMax`, the form asks for an account id. */
export const budgetAccountsQuery = queryOptions({
  queryKey: ['accounts', 'for-budgets'],
  queryFn: ({ signal }) =>
    callApi('GET /panel/api/accounts', { query: { limit: accountsListedMax }, signal }),
})

type NewBudget = ApiInput<'POST /panel/api/budgets'>['body']

export function useSetBudget() {
  return useBudgetChange((body: NewBudget) => callApi('POST /panel/api/budgets', { body }))
}

export function useRemoveBudget(accountId: string) {
  const body = { account_id: accountId }
  return useBudgetChange(() => callApi('POST /panel/api/budgets/remove', { body }))
}

function useBudgetChange<Input>(change: (input: Input) => Promise<PanelBudgetList>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (list) => queryClient.setQueryData(budgetsQuery.queryKey, list),
  })
}
