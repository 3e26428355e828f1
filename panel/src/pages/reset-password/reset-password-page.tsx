import { Anchor, Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { postJson } from '../../api.ts'
import { NewPasswordField } from '../../auth/new-user-fields.tsx'
import { useLinkToken } from '../../auth/use-link-token.ts'
import { FormError } from '../../components/form-error.tsx'
import { Page } from '../../components/page/page.tsx'
import { EmptyState } from '../../components/page/states.tsx'
import { submitTo, textOf } from '../../form.ts'

/** A new password, by a link that an administrator has made. */
export function ResetPasswordPage() {
  const token = useLinkToken()
  const reset = useMutation({
    mutationFn: (form: FormData) =>
      postJson('/panel/api/reset-password', { token, password: textOf(form, 'password') }),
  })
  if (reset.isSuccess)
    return (
      <Page title="The password is changed">
        <EmptyState title="You can sign in with it now">
          <Anchor component={Link} to="/sign-in">
            Sign in
          </Anchor>
        </EmptyState>
      </Page>
    )
  return (
    <Page title="Choose a new password">
      {token === '' ? (
        <EmptyState title="The link is needed">
          Ask an administrator for a link to choose a new password, and open it as a whole, with
          what stands after the #.
        </EmptyState>
      ) : (
        <form onSubmit={submitTo(reset.mutate)}>
          <Stack gap="md">
            <NewPasswordField error={reset.error} label="New password" />
            <FormError error={reset.error} fields={['password']} />
            <Button type="submit" loading={reset.isPending}>
              Change the password
            </Button>
          </Stack>
        </form>
      )}
    </Page>
  )
}
