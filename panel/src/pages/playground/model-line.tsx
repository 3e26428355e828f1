import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { callApi } from '../../api.ts'

/** The model that answers and the hardware that computes it. */
export function ModelLine() {
  const { data } = useQuery({
    queryKey: ['model'],
    queryFn: ({ signal }) => callApi('GET /panel/api/model', { signal }),
  })
  if (data === undefined) return <>Drafts stay in this tab.</>
  const { model, compute, hardware } = data
  const name = model.title ?? model.name
  const computedBy =
    compute.device === null || compute.device === 'CPU' ? hardware.processor : compute.device
  return (
    <>
      <Link to="/model">
        {name === null || name === 'default' ? model.id : name}
        {model.quantisation !== null && ` (${model.quantisation})`}
      </Link>
      {computedBy !== null && ` on ${computedBy}`}. Drafts stay in this tab.
    </>
  )
}
