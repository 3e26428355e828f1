import { Button, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useId } from 'react'
import { Page } from '../../components/page/page.tsx'
import { EmptyState, ErrorState, Loading } from '../../components/page/states.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { accountsQuery, invitesQuery } from './accounts-api.ts'
import classes from './accounts-page.module.css'
import { AccountsTable } from './accounts-table.tsx'
import { Invites } from './invites.tsx'

const route = getRouteApi('/signed-in/admin/accounts')

/** Lists all accounts and pending invites. For admins. */
export function AccountsPage() {
  const [inviting, dialog] = useDisclosure(false)
  const { data: invites } = useQuery(invitesQuery)
  const canInvite = invites !== undefined && invites.sign_up !== 'closed'
  return (
    <Page
      title="Accounts"
      description="All accounts and their usage this month (UTC)."
      actions={canInvite && <Button onClick={dialog.open}>Invite user</Button>}
    >
      <AccountSearch />
      <AccountList />
      <Invites />
      <Suspense>{inviting && <InviteDialog onClose={dialog.close} />}</Suspense>
    </Page>
  )
}

const InviteDialog = lazy(async () => ({
  default: (await import('./dialogs/invite-dialog.tsx')).InviteDialog,
}))

function AccountSearch() {
  const { search = '' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <SearchField
      placeholder="Name, e-mail or account ID"
      className={classes['search']}
      applied={search}
      apply={(text) =>
        void navigate({ search: text === '' ? {} : { search: text }, replace: true })
      }
    />
  )
}

function AccountList() {
  const { search = '' } = route.useSearch()
  const titleId = useId()
  const list = useInfiniteQuery(accountsQuery(search))
  const accounts = list.data?.pages.flatMap(({ data }) => data)
  return (
    <Stack gap="sm" component="section" aria-labelledby={titleId}>
      <Title order={2} id={titleId}>
        All accounts
      </Title>
      {list.error !== null && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {accounts === undefined && list.error === null && <Loading rows={5} rowHeight={56} />}
      {accounts?.length === 0 && (
        <EmptyState title="No matching accounts">
          Search by part of a name or e-mail address, or by the full account ID.
        </EmptyState>
      )}
      {accounts !== undefined && accounts.length > 0 && <AccountsTable accounts={accounts} />}
      {list.hasNextPage && (
        <Button
          variant="default"
          size="xs"
          className={classes['more']}
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Load more accounts
        </Button>
      )}
      <Text role="status" size="xs" c="dimmed">
        {accounts !== undefined && !list.hasNextPage && search !== '' && `${accounts.length} found`}
      </Text>
    </Stack>
  )
}
