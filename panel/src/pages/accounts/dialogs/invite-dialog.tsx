import { Button, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Dialog, DialogActions } from '../../../components/dialog/dialog.tsx'
import { faultOf, FormError } from '../../../components/form-error.tsx'
import { useNewInvite } from '../accounts-api.ts'
import { OneTimeLink } from './one-time-link.tsx'
import { RoleSelect } from './role-select.tsx'

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
    <Dialog
      title="Invite user"
      onClose={onClose}
      // If it were closed before the answer, the link would be lost.
      shownOnce={invite.isPending || invite.data !== undefined}
    >
      {invite.data === undefined ? (
        <form onSubmit={create} noValidate>
          <Stack gap="md">
            <TextInput
              type="email"
              label="E-mail address"
              description="Optional. Only this address can use the link. If blank, anyone with the link can use it."
              autoComplete="off"
              value={email}
              error={faultOf(invite.error, 'email')}
              onChange={(event) => setEmail(event.currentTarget.value)}
              data-autofocus
            />
            <RoleSelect value={role} onChange={setRole} />
            <FormError error={invite.error} fields={['email']} />
            <DialogActions>
              <Button variant="default" disabled={invite.isPending} onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={invite.isPending}>
                Create invite
              </Button>
            </DialogActions>
          </Stack>
        </form>
      ) : (
        <Stack gap="md">
          <OneTimeLink link={invite.data}>
            Send this link to the person you want to invite. It creates one account and works once.
            No e-mail is sent.
          </OneTimeLink>
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Done
            </Button>
          </DialogActions>
        </Stack>
      )}
    </Dialog>
  )
}
