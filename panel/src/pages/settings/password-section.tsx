import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { NewPasswordField } from '../../auth/new-user-fields.tsx'
import { faultOf, FormError } from '../../components/form-error.tsx'
import { Section } from '../../components/page/section.tsx'
import { submitTo, textOf } from '../../form.ts'
import { meQuery } from '../../session.ts'
import { changePassword, sessionsQuery } from './settings-api.ts'

export function PasswordSection() {
  const queryClient = useQueryClient()
  const { data: me } = useSuspenseQuery(meQuery)
  const form = useRef<HTMLFormElement>(null)
  const change = useMutation({
    mutationFn: (typed: FormData) =>
      changePassword(textOf(typed, 'currentPassword'), textOf(typed, 'newPassword')),
    onSuccess: () => {
      form.current?.reset()
      return queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
  })
  const { error } = change
  return (
    <Section
      title="Password"
      description="Changing your password signs you out of all other browsers."
    >
      <form ref={form} onSubmit={submitTo(change.mutate)}>
        <Stack gap="md">
          {/* Tells password managers which account this is. */}
          <input hidden readOnly name="username" autoComplete="username" value={me.user.email} />
          <PasswordInput
            label="Current password"
            name="currentPassword"
            autoComplete="current-password"
            required
            withAsterisk={false}
            error={faultOf(error, 'currentPassword')}
          />
          <NewPasswordField error={error} name="newPassword" label="New password" />
          <FormError error={error} fields={['currentPassword', 'newPassword']} />
          <Group gap="sm">
            <Button type="submit" variant="default" loading={change.isPending}>
              Change password
            </Button>
            <span role="status">{change.isSuccess && 'Password changed.'}</span>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
