import { Alert, Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { SignInForm } from '../../auth/sign-in-form.tsx'
import { useEnter } from '../../auth/use-enter.ts'
import { Page } from '../../components/page.tsx'
import { setupQuery } from '../../session.ts'

const route = getRouteApi('/public/sign-in')

export function SignInPage() {
  const { next, error, error_description: reason } = route.useSearch()
  const { data: setup } = useQuery(setupQuery)
  const enter = useEnter()
  return (
    <Page title="Sign in">
      {setup?.needs_setup === true && (
        <Alert title="Nobody has an account yet">
          The first start of the service printed a one-time link that makes the first account. Open
          that link.
        </Alert>
      )}
      {error !== undefined && (
        <Alert color="red" role="alert">
          The sign-in was not completed: {reason ?? error}. Try again, or ask an administrator.
        </Alert>
      )}
      <SignInForm onSignedIn={() => enter(next)} />
      {setup?.sign_up === 'open' && (
        <Text size="sm">
          No account yet?{' '}
          <Anchor component={Link} to="/sign-up">
            Create one
          </Anchor>
        </Text>
      )}
      <Text size="sm" c="dimmed">
        Forgotten password? An administrator can make you a link to choose a new one.
      </Text>
    </Page>
  )
}
