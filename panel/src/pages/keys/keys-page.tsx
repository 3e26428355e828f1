import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { keyFilters } from '../../../../src/protocol/panel/values.ts'
import type { PanelKeyList } from '../../../../src/protocol/panel-keys.ts'
import { Page } from '../../components/page/page.tsx'
import { EmptyState, ErrorState, Loading } from '../../components/page/states.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { formatCount } from '../../format/format.ts'
import { KeyDialog } from './dialogs/key-dialog.tsx'
import { keysPerPage, keysQuery } from './keys-api.ts'
import type { KeysSearch } from './keys-search.ts'
import { KeysTable } from './keys-table.tsx'

const route = getRouteApi('/signed-in/keys')

/** Lists the account's keys. Dialogs create, edit, rotate and revoke them. */
export function KeysPage() {
  const search = route.useSearch()
  const { data, error, refetch, isPlaceholderData } = useQuery(keysQuery(search))
  return (
    <Page
      title="API keys"
      description="API keys authenticate your apps. You see each key only once."
      actions={
        <Button
          renderRoot={(props) => (
            <Link to="/keys" search={{ ...search, dialog: 'create' }} {...props} />
          )}
        >
          Create key
        </Button>
      }
    >
      <Suspense>
        <FirstSteps />
      </Suspense>
      <Stack gap="md">
        <Filters />
        {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Loading rows={8} rowHeight={52} />}
        {data !== undefined && (
          <div aria-busy={isPlaceholderData}>
            <KeyList list={data} search={search} />
          </div>
        )}
      </Stack>
      <KeyDialog />
    </Page>
  )
}

// Loaded only when shown, because most visits no longer need it.
const FirstSteps = lazy(async () => ({
  default: (await import('../../first-steps/first-steps.tsx')).FirstSteps,
}))

function Filters() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const show = (changed: Partial<KeysSearch>) => {
    const { page: _page, ...others } = search
    void navigate({ search: { ...others, ...changed }, replace: true, resetScroll: false })
  }
  return (
    <Group gap="md" align="flex-end">
      <SearchField
        placeholder="Name or ID"
        applied={search.search ?? ''}
        apply={(text) => show({ search: text })}
      />
      <SegmentedControl
        aria-label="Status"
        data={keyFilters.map((value) => ({ value, label: filterLabels[value] }))}
        value={search.state ?? 'active'}
        onChange={(state) => show({ state })}
      />
    </Group>
  )
}

const filterLabels: Readonly<Record<(typeof keyFilters)[number], string>> = {
  active: 'Active',
  expired: 'Expired',
  revoked: 'Revoked',
  all: 'All',
}

function KeyList({ list: { data, total }, search }: { list: PanelKeyList; search: KeysSearch }) {
  if (total === 0) return <NoKeys search={search} />
  return (
    <Stack gap="sm">
      <KeysTable keys={data} search={search} />
      <Paging total={total} search={search} />
    </Stack>
  )
}

function NoKeys({ search }: { search: KeysSearch }) {
  const isSearched = search.search !== undefined || (search.state ?? 'active') !== 'active'
  if (isSearched)
    return (
      <EmptyState
        title="No matching keys"
        action={
          <Button
            variant="default"
            size="xs"
            renderRoot={(props) => <Link to="/keys" search={{ state: 'all' }} {...props} />}
          >
            Show all keys
          </Button>
        }
      >
        Try another search or status.
      </EmptyState>
    )
  return (
    <EmptyState
      title="No keys yet"
      action={
        <Button
          size="xs"
          renderRoot={(props) => <Link to="/keys" search={{ dialog: 'create' }} {...props} />}
        >
          Create your first key
        </Button>
      }
    >
      Create one key per app, so that you can limit or revoke each app separately.
    </EmptyState>
  )
}

function Paging({ total, search }: { total: number; search: KeysSearch }) {
  const page = search.page ?? 1
  const pages = Math.max(1, Math.ceil(total / keysPerPage))
  const first = (page - 1) * keysPerPage + 1
  const last = Math.min(page * keysPerPage, total)
  const { page: _page, ...others } = search
  const pageButton = (to: number, label: string) => (
    <Button
      variant="default"
      size="xs"
      {...(to < 1 || to > pages
        ? { disabled: true }
        : {
            renderRoot: (props: object) => (
              <Link to="/keys" search={to === 1 ? others : { ...others, page: to }} {...props} />
            ),
          })}
    >
      {label}
    </Button>
  )
  return (
    <Group justify="space-between" component="nav" aria-label="Pagination">
      <Text component="span" role="status" size="sm">
        {first > total
          ? `Page ${formatCount(page)} does not exist.`
          : `${formatCount(first)}–${formatCount(last)} of ${formatCount(total)}`}
      </Text>
      {(pages > 1 || page > 1) && (
        <Group gap="xs">
          {pageButton(Math.min(page - 1, pages), 'Previous')}
          {pageButton(page + 1, 'Next')}
        </Group>
      )}
    </Group>
  )
}
