import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PanelModel } from '../../../../src/protocol/panel/models.ts'
import { callApi } from '../../api.ts'

/** The model that answers, and the machine. */
export const servingModelQuery = queryOptions({
  queryKey: ['model'],
  queryFn: ({ signal }) => callApi('GET /panel/api/model', { signal }),
})

/** The model that answers and the hardware that computes it. */
export function ModelLine() {
  const { data } = useQuery(servingModelQuery)
  if (data === undefined) return <>Drafts stay in this tab.</>
  const { model, compute, hardware } = data
  const computedBy =
    compute.device === null || compute.device === 'CPU' ? hardware.processor : compute.device
  return (
    <>
      <Link to="/model">
        {modelName(data)}
        {model.quantisation !== null && ` (${model.quantisation})`}
      </Link>
      {computedBy !== null && ` on ${computedBy}`}. Drafts stay in this tab.
    </>
  )
}

/** Returns the name of the model for people. */
export function modelName({ model }: PanelModel): string {
  const name = model.title ?? model.name
  return name === null || name === 'default' ? model.id : name
}
