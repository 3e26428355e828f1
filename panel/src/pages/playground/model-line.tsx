import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { modelName, modelQuery } from '../model/models-api.ts'

/** Queries the serving model without polling: its memory and speed are not shown here. */
export const servingModelQuery = queryOptions({ ...modelQuery, refetchInterval: false })

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
        {modelName(model)}
        {model.quantisation !== null && ` (${model.quantisation})`}
      </Link>
      {computedBy !== null && ` on ${computedBy}`}. Drafts stay in this tab.
    </>
  )
}
