import { Anchor } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { meQuery } from '../../session.ts'
import { Page } from './page.tsx'
import { EmptyState } from './states.tsx'

/** The page, or the reason why it is not there for this person. */
export function AdminOnly() {
  const { data: me } = useSuspenseQuery(meQuery)
  if (me.user.role === 'admin') return <Outlet />
  return (
    <Page title="For administrators">
      <EmptyState title="Only administrators see this page">
        You are signed in as <bdi>{me.user.email}</bdi>, a member. Ask an administrator of this
        service, or{' '}
        <Anchor component={Link} to="/keys">
          go to your keys
        </Anchor>
        .
      </EmptyState>
    </Page>
  )
}
