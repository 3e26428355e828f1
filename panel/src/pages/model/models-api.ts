import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { PanelModel, PanelModels } from '../../../../src/protocol/panel/models.ts'
import { callApi } from '../../api.ts'

/** Poll intervals: while a pull or a switch is running, and while idle. */
const busyPollMs = 1_000
const idlePollMs = 10_000

/** Queries the serving model and the machine. Polls, because free memory and speed change. */
export const modelQuery = queryOptions({
  queryKey: ['model'],
  queryFn: ({ signal }) => callApi('GET /panel/api/model', { signal }),
  refetchInterval: idlePollMs,
  refetchIntervalInBackground: false,
})

/** Returns the name of a model for people. Files without a name of their own often say `default`. */
export function modelName({ title, name, id }: PanelModel['model']): string {
  const known = title ?? name
  return known === null || known === 'default' ? id : known
}

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => callApi('GET /panel/api/models', { signal }),
  refetchInterval: ({ state }) => (isBusy(state.data) ? busyPollMs : idlePollMs),
  refetchIntervalInBackground: false,
})

function isBusy(models: PanelModels | undefined): boolean {
  if (models === undefined) return false
  const { switching, pulls } = models
  return switching !== null || pulls.some(({ state }) => state === 'running' || state === 'waiting')
}

export function usePull() {
  return useChange((model: string) => callApi('POST /panel/api/models/pulls', { body: { model } }))
}

type PullAction = 'cancel' | 'resume' | 'discard'

/** Cancels, resumes or discards a pull. */
export function usePullAction(id: string) {
  return useChange((action: PullAction) => {
    const params = { id }
    switch (action) {
      case 'cancel':
        return callApi('POST /panel/api/models/pulls/:id/cancel', { params })
      case 'resume':
        return callApi('POST /panel/api/models/pulls/:id/resume', { params })
      case 'discard':
        return callApi('POST /panel/api/models/pulls/:id/discard', { params })
    }
  })
}

export type ModelAction = 'use' | 'remove'

export function useModelAction(name: string) {
  return useChange((action: ModelAction) => {
    const params = { name }
    return action === 'use'
      ? callApi('POST /panel/api/models/:name/use', { params })
      : callApi('POST /panel/api/models/:name/remove', { params })
  })
}

/** Returns a mutation whose response, the new list of models, replaces the cached list. */
function useChange<Input>(change: (input: Input) => Promise<PanelModels>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (models) => {
      queryClient.setQueryData(modelsQuery.queryKey, models)
      void queryClient.invalidateQueries(modelQuery)
    },
  })
}
