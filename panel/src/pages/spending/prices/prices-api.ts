import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { PanelPriceList } from '../../../../../src/protocol/panel/prices.ts'
import { type ApiInput, callApi } from '../../../api.ts'

export const pricesQuery = queryOptions({
  queryKey: ['prices'],
  queryFn: ({ signal }) => callApi('GET /panel/api/prices', { signal }),
})

type NewPrice = ApiInput<'POST /panel/api/prices'>['body']

export function useSetPrice() {
  return usePriceChange((body: NewPrice) => callApi('POST /panel/api/prices', { body }))
}

export function useRemovePrice(from: string) {
  return usePriceChange(() => callApi('POST /panel/api/prices/remove', { body: { from } }))
}

function usePriceChange<Input>(change: (input: Input) => Promise<PanelPriceList>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (list) => {
      queryClient.setQueryData(pricesQuery.queryKey, list)
      // Costs depend on the prices. Money budgets depend on the currency of the prices.
      void queryClient.invalidateQueries({ queryKey: ['budgets'] })
      void queryClient.invalidateQueries({ queryKey: ['usage'] })
    },
  })
}
