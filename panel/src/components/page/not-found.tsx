import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Page } from './page.tsx'
import { EmptyState } from './states.tsx'

export function NotFound() {
  return (
    <Page title="Page not found">
      <EmptyState title="This page does not exist">
        Check the address, or{' '}
        <Anchor component={Link} to="/keys">
          go to your API keys
        </Anchor>
        .
      </EmptyState>
    </Page>
  )
}
