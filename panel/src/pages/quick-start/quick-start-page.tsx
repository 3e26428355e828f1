import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PanelKeyList } from '../../../../src/protocol/panel-keys.ts'
import { getJson, queryString } from '../../api.ts'
import { Page } from '../../components/page/page.tsx'
import { EmptyState, ErrorState, Loading } from '../../components/page/states.tsx'
import { QuickStartSteps } from './quick-start-steps.tsx'

const keysListedMax = 200

/** From a key to a first reply, in the user's own words for both. */
export function QuickStartPage() {
  const keys = useQuery({
    queryKey: ['keys', 'quick-start'],
    queryFn: ({ signal }) =>
      getJson<PanelKeyList>(
        `/panel/api/keys${queryString({ state: 'active', sort: 'last_used', order: 'desc', limit: keysListedMax })}`,
        signal,
      ),
  })
  return (
    <Page title="Quick start" description="From a key to a first reply.">
      {keys.isPending ? (
        <Loading rows={3} rowHeight={160} />
      ) : keys.isError ? (
        <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
      ) : keys.data.data.length === 0 ? (
        <EmptyState
          title="You have no active key yet"
          action={
            <Button
              renderRoot={(props) => <Link to="/keys" search={{ dialog: 'create' }} {...props} />}
            >
              Create a key
            </Button>
          }
        >
          A program shows a key with each request. Create one, copy it, and come back here.
        </EmptyState>
      ) : (
        <QuickStartSteps keys={keys.data.data} />
      )}
    </Page>
  )
}
