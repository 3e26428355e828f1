import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { keysListedMax } from '../../../../src/protocol/panel/values.ts'
import { callApi } from '../../api.ts'
import { Page } from '../../components/page/page.tsx'
import { EmptyState, ErrorState, Loading } from '../../components/page/states.tsx'
import { QuickStartSteps } from './quick-start-steps.tsx'

/** The steps from an API key to a first reply. */
export function QuickStartPage() {
  const keys = useQuery({
    queryKey: ['keys', 'quick-start'],
    queryFn: ({ signal }) =>
      callApi('GET /panel/api/keys', {
        query: { state: 'active', sort: 'created', order: 'desc', limit: keysListedMax },
        signal,
      }),
  })
  return (
    <Page title="Quick start" description="Make your first API request.">
      {keys.data === undefined ? (
        keys.error === null ? (
          <Loading rows={3} rowHeight={160} />
        ) : (
          <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
        )
      ) : keys.data.data.length === 0 ? (
        <EmptyState
          title="No active API keys"
          action={
            <Button
              renderRoot={(props) => <Link to="/keys" search={{ dialog: 'create' }} {...props} />}
            >
              Create key
            </Button>
          }
        >
          Your app sends an API key with each request. Create one, copy it, then come back here.
        </EmptyState>
      ) : (
        <QuickStartSteps keys={keys.data.data} />
      )}
    </Page>
  )
}
