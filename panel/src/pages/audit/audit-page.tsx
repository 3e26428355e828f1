import { Button, Stack, Table } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { AuditEntry } from '../../../../src/protocol/panel/audit.ts'
import { callApi } from '../../api.ts'
import { Page } from '../../components/page/page.tsx'
import { EmptyState, ErrorState, Loading } from '../../components/page/states.tsx'
import { TableHead } from '../../components/table-head.tsx'
import { Time } from '../../components/time.tsx'
import classes from './audit-page.module.css'
import { actionText, changeLines } from './audit-words.ts'

/** Entries shown at first. An entry has up to seven lines, and the page begins with at most three screens. */
const entriesListed = 12

/** The log of changes to keys, limits and users. For admins. */
export function AuditPage() {
  const log = useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam, signal }) =>
      callApi('GET /panel/api/audit', {
        query: { after: pageParam, limit: entriesListed },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    // Any page may have made changes, which this one shows.
    staleTime: 0,
    getNextPageParam: ({ has_more, last_id }) => (has_more ? (last_id ?? undefined) : undefined),
  })
  const entries = log.data?.pages.flatMap(({ data }) => data)
  return (
    <Page
      title="Audit log"
      description="Who changed keys, limits, users, prices, budgets and alerts, in the panel and on the command line."
    >
      <Stack gap="sm">
        {log.error !== null && <ErrorState error={log.error} onRetry={() => void log.refetch()} />}
        {entries === undefined && log.error === null && <Loading rows={8} />}
        {entries?.length === 0 && (
          <EmptyState title="No changes yet">
            Changes of keys, limits, users, prices, budgets and alerts are listed here.
          </EmptyState>
        )}
        {entries !== undefined && entries.length > 0 && <AuditTable entries={entries} />}
        {log.hasNextPage && (
          <Button
            variant="default"
            size="xs"
            className={classes['more']}
            loading={log.isFetchingNextPage}
            onClick={() => void log.fetchNextPage()}
          >
            Load older changes
          </Button>
        )}
      </Stack>
    </Page>
  )
}

function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <Table.ScrollContainer
      minWidth={940}
      type="native"
      tabIndex={0}
      role="group"
      aria-label="Changes"
    >
      <Table aria-label="Changes" className="numeric" verticalSpacing="xs">
        <TableHead headings={['Time', 'Who', 'Action', 'What', 'Change']} />
        <Table.Tbody>
          {entries.map((entry) => (
            <AuditRow key={entry.id} entry={entry} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function AuditRow({ entry }: { entry: AuditEntry }) {
  return (
    <Table.Tr>
      <Table.Td className={classes['time']}>
        <Time ms={entry.at_ms} />
      </Table.Td>
      <Table.Td className={classes['target']}>
        <bdi>{entry.actor}</bdi>
      </Table.Td>
      <Table.Td>{actionText(entry.action)}</Table.Td>
      <Table.Td className={classes['target']}>
        <bdi>{entry.target_name}</bdi>
        <code className={classes['id']}>{entry.target_id}</code>
      </Table.Td>
      <Table.Td>
        {changeLines(entry).map((line) => (
          <span key={line} className={classes['change']}>
            {line}
          </span>
        ))}
      </Table.Td>
    </Table.Tr>
  )
}
