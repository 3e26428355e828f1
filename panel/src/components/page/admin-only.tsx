import { Anchor } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { meQuery } from '../../session.ts'
import { Page } from './page.tsx'
import { EmptyState } from './states.tsx'

/** Shows the page to admins and a notice to members. */
export function AdminOnly() {
  const { data: me } = useSuspenseQuery(meQuery)
  if (me.user.role === 'admin') return <Outlet />
  return (
    <Page title="Admin access required">
      <EmptyState title="Only admins can see this page">
        You are signed in as <bdi>{me.user.email}</bdi>, a member. Ask an admin for access, or{' '}
        <Anchor component={Link} to="/keys">
          go to your API keys
        </Anchor>
        .
      </EmptyState>
    </Page>
  )
}
