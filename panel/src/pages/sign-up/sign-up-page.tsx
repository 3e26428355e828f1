import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SetUpState } from '../../../../src/protocol/panel-session.ts'
import { callApi } from '../../api.ts'
import { EmailField, NameField, NewPasswordField } from '../../auth/new-user-fields.tsx'
import { useEnter } from '../../auth/use-enter.ts'
import { useLinkSecret } from '../../auth/use-link-token.ts'
import { FormError } from '../../components/form-error.tsx'
import { Page } from '../../components/page/page.tsx'
import { EmptyState, ErrorState, Loading } from '../../components/page/states.tsx'
import { submitTo, textOf } from '../../form.ts'
import { setupQuery } from '../../session.ts'

/** Creates an account, if sign-up is open or the user has an invite link. */
export function SignUpPage() {
  const invite = useLinkSecret()
  const { data: setup, error, refetch } = useQuery(setupQuery)
  return (
    <Page title="Create your account">
      {setup === undefined ? (
        error === null ? (
          <Loading rows={4} rowHeight={60} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : invite !== '' || setup.sign_up === 'open' ? (
        <NewAccount invite={invite} />
      ) : (
        <EmptyState title="Sign-up is closed">{whatToDo(setup)}</EmptyState>
      )}
      <Text size="sm">
        Already have an account?{' '}
        <Anchor component={Link} to="/sign-in">
          Sign in
        </Anchor>
      </Text>
    </Page>
  )
}

function whatToDo({ needs_setup: needsSetup, sign_up: signUp }: SetUpState): string {
  if (needsSetup) return 'Open the set-up link that the service printed at its start.'
  return signUp === 'invite'
    ? 'Ask an admin for an invite link, and open the complete link.'
    : 'Ask an admin for an account.'
}

function NewAccount({ invite }: { invite: string }) {
  const enter = useEnter()
  const offer = useQuery({
    queryKey: ['invite', invite],
    queryFn: () => callApi('POST /panel/api/sign-up/invite', { body: { secret: invite } }),
    enabled: invite !== '',
    // The sign-up uses up the link, so a later query would fail.
    staleTime: Infinity,
  })
  const signUp = useMutation({
    mutationFn: (form: FormData) =>
      callApi('POST /panel/api/sign-up', {
        body: {
          name: textOf(form, 'name'),
          email: textOf(form, 'email'),
          password: textOf(form, 'password'),
          ...(invite !== '' && { invite }),
        },
      }),
    onSuccess: () => enter(),
  })
  const { error } = signUp
  if (invite !== '' && offer.isPending) return <Loading rows={4} rowHeight={60} />
  if (offer.error !== null) return <ErrorState error={offer.error} />
  return (
    <form onSubmit={submitTo(signUp.mutate)}>
      <Stack gap="md">
        {offer.data !== undefined && (
          <Text size="sm">
            {offer.data.email === null ? (
              'You are invited'
            ) : (
              <>
                This invite is for <bdi>{offer.data.email}</bdi>
              </>
            )}
            {offer.data.role === 'admin' ? ', as an admin.' : ', as a member.'}
          </Text>
        )}
        <NameField error={error} />
        <EmailField error={error} only={offer.data?.email ?? undefined} />
        <NewPasswordField error={error} />
        <FormError error={error} fields={['name', 'email', 'password']} />
        <Button type="submit" loading={signUp.isPending}>
          Create account
        </Button>
      </Stack>
    </form>
  )
}
