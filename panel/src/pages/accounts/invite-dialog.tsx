import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { faultOf, FormError } from '../../components/form-error.tsx'
import { useNewInvite } from './accounts-api.ts'
import { OneTimeLink } from './one-time-link.tsx'

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<'admin' | 'member'>('member')
  const invite = useNewInvite()
  const create = (event: FormEvent) => {
    event.preventDefault()
    const address = email.trim()
    invite.mutate({ role, ...(address === '' ? {} : { email: address }) })
  }
  return (
    <Dialog title="Invite somebody" onClose={onClose} unique={invite.data !== undefined}>
      {invite.data === undefined ? (
        <form onSubmit={create} noValidate>
          <Stack gap="md">
            <TextInput
              type="email"
              label="E-mail address"
              description="Only this address can then use the link. Leave it empty for whoever opens it first."
              autoComplete="off"
              value={email}
              error={faultOf(invite.error, 'email')}
              onChange={(event) => setEmail(event.currentTarget.value)}
              data-autofocus
            />
            <NativeSelect
              label="Role"
              description="Admins see and change all accounts."
              data={[
                { value: 'member', label: 'Member' },
                { value: 'admin', label: 'Admin' },
              ]}
              value={role}
              onChange={(event) =>
                setRole(event.currentTarget.value === 'admin' ? 'admin' : 'member')
              }
            />
            <FormError error={invite.error} fields={['email']} />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={invite.isPending}>
                Make the invite
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Stack gap="md">
          <OneTimeLink link={invite.data}>
            Whoever opens it makes an account of their own. It works once; no e-mail is sent, so
            give it on.
          </OneTimeLink>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Done
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}
