import { queryOptions } from '@tanstack/react-query'
import type { PanelKey } from '../../src/protocol/panel-keys.ts'
import { getJson } from './api.ts'

/** One key, also one that is revoked. */
export function keyQuery(id: string) {
  return queryOptions({
    queryKey: ['keys', 'one', id],
    queryFn: ({ signal }) => getJson<PanelKey>(`/panel/api/keys/${encodeURIComponent(id)}`, signal),
  })
}
