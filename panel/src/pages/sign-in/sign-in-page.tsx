import { Alert, Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { takeNextPage } from '../../auth/next-page.ts'
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
        <Alert title="No accounts yet">
          Open the set-up link that the service printed at its start to create the first account.
        </Alert>
      )}
      {error !== undefined && (
        <Alert color="red" role="alert">
          {oidcErrorText(error)}
        </Alert>
      )}
      <SignInForm
        next={next}
        // After a refused sign-in with OIDC, the page is still kept.
        onSignedIn={() => enter(next ?? takeNextPage())}
      />
      {setup?.sign_up === 'open' && (
        <Text size="sm">
          No account yet?{' '}
          <Anchor component={Link} to="/sign-up">
            Create one
          </Anchor>
        </Text>
      )}
      <Text size="sm" c="dimmed">
        Forgot your password? Ask an admin for a reset link.
      </Text>
    </Page>
  )
}

/** Explains an error code from the OIDC provider or the service. */
function oidcErrorText(code: string): string {
  switch (code) {
    case 'sign_up_closed':
      return 'You have no account, and sign-up is closed. Ask an admin for an invite.'
    case 'email_unverified':
      return 'Your sign-in provider has not verified your e-mail address. Verify it there, then try again.'
    case 'account_not_linked':
      return 'An account with this e-mail address already exists. Sign in with its password.'
    case 'ACCOUNT_DISABLED':
      return 'This account is disabled. Ask an admin.'
    case 'access_denied':
      return 'The sign-in was refused or cancelled. Try again, or use your password.'
    default:
      return 'Sign-in failed. Try again, or use your password.'
  }
}
