import { Alert, Button, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Page } from '../../components/page/page.tsx'
import { Part } from '../../components/page/part.tsx'
import { EmptyState, ErrorState, Loading } from '../../components/page/states.tsx'
import { formatCount } from '../../format/format.ts'
import { EngineTable } from './engine-table.tsx'
import { LeaseTable } from './lease-table.tsx'
import { ReplicaTable } from './replica-table.tsx'
import classes from './replicas-page.module.css'
import { pollMs, replicasQuery } from './replicas-query.ts'

/** The services that share this database, their leases, and the engines behind them. For admins. */
export function ReplicasPage() {
  const list = useInfiniteQuery(replicasQuery)
  const overview = list.data?.pages[0]
  const leases = list.data?.pages.flatMap((page) => page.leases.data)
  return (
    <Page title="Replicas" description={`Updates every ${pollMs / 1000} s`}>
      {list.error !== null && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {overview === undefined && list.error === null && <Loading rows={5} />}
      {overview !== undefined && leases !== undefined && (
        <Stack gap="xl">
          {!overview.shared && (
            <Alert color="gray" title="One replica">
              This service keeps its data in its own file. To run several replicas, set{' '}
              <code>PIPIT_DATABASE_URL</code> to a PostgreSQL database that they share.
            </Alert>
          )}
          <Part title="Services">
            <ReplicaTable replicas={overview.replicas} isShared={overview.shared} />
            {overview.replicas_total > overview.replicas.length && (
              <Text size="sm" c="dimmed">
                The oldest {formatCount(overview.replicas.length)} of{' '}
                {formatCount(overview.replicas_total)} replicas are listed.
              </Text>
            )}
          </Part>
          <Part title="Engines" description="As seen by the replica that serves this page.">
            {overview.upstreams === null ? (
              <EmptyState title="No upstream engines">
                This replica uses its own engine, which the page Live shows.
              </EmptyState>
            ) : (
              <EngineTable engines={overview.upstreams} />
            )}
          </Part>
          <Part
            title="Leases"
            description="Parts of the limits that a replica may spend without asking the database."
          >
            {!overview.shared && (
              <EmptyState title="No leases">
                A single replica counts limits in its memory.
              </EmptyState>
            )}
            {overview.shared && leases.length === 0 && (
              <EmptyState title="No leases">
                Keys and accounts with limits are listed here while they are in use.
              </EmptyState>
            )}
            {leases.length > 0 && <LeaseTable leases={leases} replicas={overview.replicas} />}
            {list.hasNextPage && (
              <Button
                variant="default"
                size="xs"
                className={classes['more']}
                loading={list.isFetchingNextPage}
                onClick={() => void list.fetchNextPage()}
              >
                Load more leases
              </Button>
            )}
          </Part>
        </Stack>
      )}
    </Page>
  )
}
