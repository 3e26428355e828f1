import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { PanelAlerts } from '../../../../../src/protocol/panel/alerts.ts'
import { type ApiInput, callApi } from '../../../api.ts'

const refreshMs = 30_000

export const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: ({ signal }) => callApi('GET /panel/api/alerts', { signal }),
  refetchInterval: refreshMs,
})

type NewWebhook = ApiInput<'POST /panel/api/alerts/webhook'>['body']
type NewMail = ApiInput<'POST /panel/api/alerts/mail'>['body']

/** @param prepare loads what shows the new secret, before the request: the secret comes only once */
export function useSetWebhook(prepare: () => Promise<unknown>) {
  return useAlertChange(async (body: NewWebhook) => {
    await prepare()
    return await callApi('POST /panel/api/alerts/webhook', { body })
  })
}

export function useSetMail() {
  return useAlertChange((body: NewMail) => callApi('POST /panel/api/alerts/mail', { body }))
}

/** Sends a test alert over every channel and waits for the results. */
export function useSendTest() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => callApi('POST /panel/api/alerts/test'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: alertsQuery.queryKey }),
  })
}

function useAlertChange<Input, Reply extends PanelAlerts>(
  change: (input: Input) => Promise<Reply>,
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: ({ webhook_url, mail, deliveries }) =>
      queryClient.setQueryData(alertsQuery.queryKey, { webhook_url, mail, deliveries }),
  })
}
