import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { callApi } from '../../api.ts'
import { EmailField, NameField, NewPasswordField } from '../../auth/new-user-fields.tsx'
import { useEnter } from '../../auth/use-enter.ts'
import { useLinkSecret } from '../../auth/use-link-token.ts'
import { FormError } from '../../components/form-error.tsx'
import { Page } from '../../components/page/page.tsx'
import { EmptyState, ErrorState, Loading } from '../../components/page/states.tsx'
import { submitTo, textOf } from '../../form.ts'
import { setupQuery } from '../../session.ts'

/** Creates the first account with the set-up link that the service prints. */
export function SetupPage() {
  const { data: setup, error, refetch } = useQuery(setupQuery)
  return (
    <Page title="Set up Pipit">
      {setup === undefined ? (
        error === null ? (
          <Loading rows={4} rowHeight={60} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : setup.needs_setup ? (
        <FirstAccount />
      ) : (
        <EmptyState title="Pipit is already set up">
          <Anchor component={Link} to="/sign-in">
            Sign in
          </Anchor>
        </EmptyState>
      )}
    </Page>
  )
}

function FirstAccount() {
  const secret = useLinkSecret()
  const enter = useEnter()
  const setUp = useMutation({
    mutationFn: (form: FormData) =>
      callApi('POST /panel/api/setup', {
        body: {
          secret,
          name: textOf(form, 'name'),
          email: textOf(form, 'email'),
          password: textOf(form, 'password'),
        },
      }),
    onSuccess: () => enter(),
  })
  const { error } = setUp
  if (secret === '')
    return (
      <EmptyState title="Incomplete link">
        Open the complete set-up link that the service printed at its start, including the part
        after the #.
      </EmptyState>
    )
  return (
    <form onSubmit={submitTo(setUp.mutate)}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          Create the first account. It is an admin and owns all existing API keys.
        </Text>
        <NameField error={error} />
        <EmailField error={error} />
        <NewPasswordField error={error} />
        <FormError error={error} fields={['name', 'email', 'password']} />
        <Button type="submit" loading={setUp.isPending}>
          Create account
        </Button>
      </Stack>
    </form>
  )
}
