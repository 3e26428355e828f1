import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { receiptsExportedMax, receiptStatuses } from '../../../../src/protocol/panel/values.ts'
import { apiUrl } from '../../api.ts'
import { DownloadButton } from '../../components/download-button.tsx'
import { KeySelect } from '../../components/keys/key-select.tsx'
import { Page } from '../../components/page/page.tsx'
import { RangePicker } from '../../components/range-picker.tsx'
import { EmptyState, ErrorState, Loading } from '../../components/page/states.tsx'
import { formatCount } from '../../format/format.ts'
import { dayRangeError, parseRange } from '../../format/time-range.ts'
import { ErrorCodeSelect } from './filters/error-code-select.tsx'
import { RequestIdField } from './filters/request-id-field.tsx'
import { statusNames } from './receipt-words.ts'
import { type RequestLog, useRequestLog } from './request-log.ts'
import classes from './requests-page.module.css'
import { type RequestsSearch, toRequestsParameters } from './requests-search.ts'
import { RequestsTable } from './requests-table.tsx'

const route = getRouteApi('/signed-in/requests')

/** The request log: one row per request, latest first. */
export function RequestsPage() {
  const search = route.useSearch()
  const range = parseRange(search, undefined)
  const fault = range?.range === 'custom' ? dayRangeError(range.from, range.to) : undefined
  return (
    <Page
      title="Requests"
      description={`Status, tokens and timing. Content isn’t stored. Downloads have the newest ${formatCount(receiptsExportedMax)} matches.`}
      actions={fault === undefined && <Export search={search} />}
    >
      <Filters />
      {fault === undefined ? (
        <Log search={search} />
      ) : (
        <EmptyState title="Invalid date range">{fault}</EmptyState>
      )}
    </Page>
  )
}

/** Links that download the newest matching requests. */
function Export({ search }: { search: RequestsSearch }) {
  const query = toRequestsParameters(search, Date.now())
  return (
    <>
      <DownloadButton href={apiUrl('GET /panel/api/requests.csv', { query })}>
        Download CSV
      </DownloadButton>
      <DownloadButton
        href={apiUrl('GET /panel/api/requests.json', { query })}
        fileName="pipit-requests.json"
      >
        JSON
      </DownloadButton>
    </>
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
        allTime
        value={parseRange(search, undefined)}
        onChange={(range) => show({ ...others, ...range })}
      />
      <NativeSelect
        label="Status"
        size="xs"
        data={[
          { value: '', label: 'All statuses' },
          ...receiptStatuses.map((status) => ({ value: status, label: statusNames[status] })),
        ]}
        value={search.status ?? ''}
        onChange={(event) => {
          const chosen = receiptStatuses.find((status) => status === event.currentTarget.value)
          const { status: _status, ...rest } = search
          show(chosen === undefined ? rest : { ...rest, status: chosen })
        }}
      />
      <ErrorCodeSelect
        value={search.error}
        onChange={(error) => {
          const { error: _error, ...rest } = search
          show(error === undefined ? rest : { ...rest, error })
        }}
      />
      <KeySelect
        value={search.key}
        onChange={(key) => {
          const { key: _key, ...rest } = search
          show(key === undefined ? rest : { ...rest, key })
        }}
      />
      <RequestIdField
        key={search.id ?? ''}
        value={search.id}
        onChange={(id) => {
          const { id: _id, ...rest } = search
          show(id === undefined ? rest : { ...rest, id })
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

/** A row above the table. Its height stays the same, so that a changed text does not move the table. */
function Newer({ log: { newer, newerMore, showNewer, error } }: { log: RequestLog }) {
  const count = `${formatCount(newer)}${newerMore ? ' or more' : ''}`
  return (
    <div className={classes['newer']} role="status">
      {newer === 0 ? (
        <Text size="xs" c="dimmed">
          {error === null ? 'Updates every 3 s' : 'Update failed'}
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
        End of the log. Older receipts are deleted after the service’s retention period.
      </Text>
    )
  if (full)
    return (
      <Text size="xs" c="dimmed">
        To find older requests, filter by time, status, error or key.
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
        title="No matching requests"
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
        Choose a longer time range, or change the other filters.
      </EmptyState>
    )
  return (
    <EmptyState
      title="No requests yet"
      action={
        <Button component={Link} to="/quick-start" variant="default" size="xs">
          Make your first request
        </Button>
      }
    >
      Each API request gets a receipt here, with its status, tokens and timing.
    </EmptyState>
  )
}
