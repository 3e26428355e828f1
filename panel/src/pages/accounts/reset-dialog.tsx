import { Button, Group, Stack } from '@mantine/core'
import type { PanelAccount } from '../../../../src/protocol/panel-accounts.ts'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { FormError } from '../../components/form-error.tsx'
import { useResetLink } from './accounts-api.ts'
import { OneTimeLink } from './one-time-link.tsx'

/** Nothing changes until somebody opens the link and chooses a password. */
export function ResetDialog({ account, onClose }: { account: PanelAccount; onClose: () => void }) {
  const link = useResetLink(account)
  return (
    <Dialog title="A new password" onClose={onClose} unique={link.data !== undefined}>
      <Stack gap="md">
        {link.data === undefined ? (
          <div>
            A link with which <bdi>{account.name}</bdi> chooses a new password. It works once. Until
            then the old password stays good.
          </div>
        ) : (
          <OneTimeLink link={link.data}>
            Give it to <bdi>{account.name}</bdi> on a way that nobody else reads: whoever opens it
            first chooses the password.
          </OneTimeLink>
        )}
        <FormError error={link.error} />
        <Group justify="flex-end" gap="xs">
          {link.data === undefined && (
            <Button loading={link.isPending} onClick={() => link.mutate()} data-autofocus>
              Make the link
            </Button>
          )}
          <Button variant="default" onClick={onClose}>
            {link.data === undefined ? 'Cancel' : 'Done'}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
