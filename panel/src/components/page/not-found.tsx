import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Page } from './page.tsx'
import { EmptyState } from './states.tsx'

export function NotFound() {
  return (
    <Page title="Not found">
      <EmptyState title="There is no such page">
        The address may be mistyped, or what it named is gone.{' '}
        <Anchor component={Link} to="/keys">
          Go to your keys
        </Anchor>
      </EmptyState>
    </Page>
  )
}
