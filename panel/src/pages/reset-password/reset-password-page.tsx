import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ApiError, callApi } from '../../api.ts'
import { NewPasswordField } from '../../auth/new-user-fields.tsx'
import { useEnter } from '../../auth/use-enter.ts'
import { useLinkSecret } from '../../auth/use-link-token.ts'
import { FormError } from '../../components/form-error.tsx'
import { Page } from '../../components/page/page.tsx'
import { EmptyState, ErrorState } from '../../components/page/states.tsx'
import { submitTo, textOf } from '../../form.ts'

/** Sets a new password with a link created by an admin. */
export function ResetPasswordPage() {
  const secret = useLinkSecret()
  const enter = useEnter()
  const account = useQuery({
    queryKey: ['reset-password', secret],
    queryFn: () => callApi('POST /panel/api/reset-password/account', { body: { secret } }),
    enabled: secret !== '',
    // The reset uses up the link, so a later query would fail.
    staleTime: Infinity,
  })
  const reset = useMutation({
    mutationFn: (form: FormData) =>
      callApi('POST /panel/api/reset-password', {
        body: { secret, password: textOf(form, 'password') },
      }),
    onSuccess: ({ signed_in: isSignedIn }) => (isSignedIn ? enter() : undefined),
  })
  if (reset.isSuccess && !reset.data.signed_in)
    return (
      <Page title="Password changed">
        <EmptyState title="You can now sign in with your new password">
          <Anchor component={Link} to="/sign-in">
            Sign in
          </Anchor>
        </EmptyState>
      </Page>
    )
  return (
    <Page title="Choose a new password">
      {secret === '' ? (
        <EmptyState title="Incomplete link">
          Open the complete password reset link, including the part after the #. If you have none,
          ask an admin.
        </EmptyState>
      ) : isRefused(account.error) ? (
        <ErrorState error={account.error} />
      ) : (
        <form onSubmit={submitTo(reset.mutate)}>
          <Stack gap="md">
            {account.data !== undefined && (
              <Text size="sm">
                For <bdi>{account.data.name}</bdi>, <bdi>{account.data.email}</bdi>
              </Text>
            )}
            <FormError error={account.error} />
            <NewPasswordField error={reset.error} label="New password" />
            <FormError error={reset.error} fields={['password']} />
            <Button type="submit" loading={reset.isPending}>
              Change password
            </Button>
          </Stack>
        </form>
      )}
    </Page>
  )
}

/** Returns whether the service refused the link: it was used, has expired or never existed. */
function isRefused(error: Error | null): error is ApiError {
  return error instanceof ApiError && error.status >= 400 && error.status < 500
}
