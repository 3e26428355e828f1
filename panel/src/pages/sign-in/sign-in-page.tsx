import { Alert, Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { SignInForm } from '../../auth/sign-in-form.tsx'
import { useEnter } from '../../auth/use-enter.ts'
import { Page } from '../../components/page/page.tsx'
import { setupQuery } from '../../session.ts'

const route = getRouteApi('/public/sign-in')

export function SignInPage() {
  const { next, error } = route.useSearch()
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
          {whyNot(error)}
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

/** What came of the sign-in at an organisation, by the code that it or the service sent back. */
function whyNot(code: string): string {
  switch (code) {
    case 'signup_disabled':
    case 'sign_up_closed':
      return 'You have no account here yet, and this service takes no new ones by itself. Ask an administrator for an invite.'
    case 'account_not_linked':
      return 'There is an account with this e-mail address already. Sign in to it with its password.'
    case 'ACCOUNT_DISABLED':
      return 'This account is disabled. Ask an administrator of this service.'
    case 'access_denied':
      return 'The sign-in was refused or cancelled there. Try again, or use the password.'
    default:
      return 'The sign-in there did not work. Try again, or use the password.'
  }
}
