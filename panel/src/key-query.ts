import { queryOptions } from '@tanstack/react-query'
import { callApi } from './api.ts'

/** Queries one key, which may be revoked. */
export function keyQuery(id: string) {
  return queryOptions({
    queryKey: ['keys', 'one', id],
    queryFn: ({ signal }) => callApi('GET /panel/api/keys/:id', { params: { id }, signal }),
  })
}
