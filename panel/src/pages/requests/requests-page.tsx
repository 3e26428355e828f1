import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { KeySelect } from '../../components/key-select.tsx'
import { Page } from '../../components/page/page.tsx'
import { RangePicker } from '../../components/range-picker.tsx'
import { EmptyState, ErrorState, Loading } from '../../components/page/states.tsx'
import { formatCount } from '../../format/format.ts'
import { faultOfDays, parseRange } from '../../format/time-range.ts'
import { statuses, statusNames } from './receipt-words.ts'
import { type RequestLog, useRequestLog } from './request-log.ts'
import classes from './requests-page.module.css'
import { type RequestsSearch, toRequestsParameters } from './requests-search.ts'
import { RequestsTable } from './requests-table.tsx'

const route = getRouteApi('/signed-in/requests')

/** The log: one line a request, the latest first. */
export function RequestsPage() {
  const search = route.useSearch()
  const range = parseRange(search, undefined)
  const fault = range?.range === 'custom' ? faultOfDays(range.from, range.to) : undefined
  return (
    <Page
      title="Requests"
      description="What became of each request: never its messages or its reply."
    >
      <Filters />
      {fault === undefined ? (
        <Log search={search} />
      ) : (
        <EmptyState title="These days cannot be shown">{fault}</EmptyState>
      )}
    </Page>
  )
}

function Filters() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const show = (changed: RequestsSearch) => void navigate({ search: changed, resetScroll: false })
  const { range: _range, from: _from, to: _to, ...others } = search
  return (
    <Group gap="md" align="flex-end">
      <RangePicker
        anyTime
        value={parseRange(search, undefined)}
        onChange={(range) => show({ ...others, ...range })}
      />
      <NativeSelect
        label="Status"
        size="xs"
        data={[
          { value: '', label: 'Any status' },
          ...statuses.map((status) => ({ value: status, label: statusNames[status] })),
        ]}
        value={search.status ?? ''}
        onChange={(event) => {
          const chosen = statuses.find((status) => status === event.currentTarget.value)
          const { status: _status, ...rest } = search
          show(chosen === undefined ? rest : { ...rest, status: chosen })
        }}
      />
      <KeySelect
        value={search.key}
        onChange={(key) => {
          const { key: _key, ...rest } = search
          show(key === undefined ? rest : { ...rest, key })
        }}
      />
    </Group>
  )
}

function Log({ search }: { search: RequestsSearch }) {
  const log = useRequestLog(toRequestsParameters(search, Date.now()))
  const { receipts, error, retry } = log
  if (receipts === undefined)
    return error === null ? <Loading rows={12} /> : <ErrorState error={error} onRetry={retry} />
  if (receipts.length === 0 && error === null)
    return <NoRequests filtered={Object.keys(search).length > 0} />
  return (
    <Stack gap="xs">
      <Newer log={log} />
      <RequestsTable receipts={receipts} />
      {error !== null && <ErrorState error={error} onRetry={retry} />}
      <Older log={log} />
    </Stack>
  )
}

/** Its place is kept, so that nothing moves when there is something to say. */
function Newer({ log: { newer, newerMore, showNewer, error } }: { log: RequestLog }) {
  const count = `${formatCount(newer)}${newerMore ? ' or more' : ''}`
  return (
    <div className={classes['newer']} role="status">
      {newer === 0 ? (
        <Text size="xs" c="dimmed">
          {error === null
            ? 'Up to date; looks for new requests every 3 seconds.'
            : 'Not up to date.'}
        </Text>
      ) : (
        <Button size="compact-xs" variant="light" onClick={showNewer}>
          Show {count} new {newer === 1 ? 'request' : 'requests'}
        </Button>
      )}
    </div>
  )
}

function Older({ log: { hasOlder, full, loadingOlder, loadOlder } }: { log: RequestLog }) {
  if (!hasOlder)
    return (
      <Text size="xs" c="dimmed">
        That is all. Receipts are kept for as long as the service’s PIPIT_RECEIPT_DAYS says.
      </Text>
    )
  if (full)
    return (
      <Text size="xs" c="dimmed">
        Older ones are found by a time, a status or a key.
      </Text>
    )
  return (
    <Button
      variant="default"
      size="xs"
      className={classes['older']}
      loading={loadingOlder}
      onClick={loadOlder}
    >
      Load older requests
    </Button>
  )
}

function NoRequests({ filtered }: { filtered: boolean }) {
  if (filtered)
    return (
      <EmptyState
        title="No request is like that"
        action={
          <Button
            renderRoot={(props) => <Link {...props} to="/requests" search={{}} />}
            variant="default"
            size="xs"
          >
            Show all requests
          </Button>
        }
      >
        Choose a longer time, another status or another key.
      </EmptyState>
    )
  return (
    <EmptyState
      title="No requests yet"
      action={
        <Button component={Link} to="/quick-start" variant="default" size="xs">
          Make the first request
        </Button>
      }
    >
      Each request to the API gets a receipt here: what became of it, its tokens and its time.
    </EmptyState>
  )
}
