import { Button, Stack } from '@mantine/core'
import type { PanelAccount } from '../../../../../src/protocol/panel-accounts.ts'
import { Dialog, DialogActions } from '../../../components/dialog/dialog.tsx'
import { FormError } from '../../../components/form-error.tsx'
import { useResetLink } from '../accounts-api.ts'
import { OneTimeLink } from './one-time-link.tsx'

/** Creates a link to choose a new password. The old password works until the link is used. */
export function ResetDialog({ account, onClose }: { account: PanelAccount; onClose: () => void }) {
  const link = useResetLink(account)
  return (
    <Dialog
      title="Reset password"
      onClose={onClose}
      // If it were closed before the answer, the link would be lost.
      shownOnce={link.isPending || link.data !== undefined}
    >
      <Stack gap="md">
        {link.data === undefined ? (
          <div>
            Create a one-time link for <bdi>{account.name}</bdi> to choose a new password. The
            current password works until the link is used. Using it also removes the user’s
            passkeys.
          </div>
        ) : (
          <OneTimeLink link={link.data}>
            Send this to <bdi>{account.name}</bdi> privately. Anyone who opens it can choose the
            password.
          </OneTimeLink>
        )}
        <FormError error={link.error} />
        <DialogActions>
          {link.data === undefined && (
            <Button loading={link.isPending} onClick={() => link.mutate()} data-autofocus>
              Create link
            </Button>
          )}
          <Button variant="default" disabled={link.isPending} onClick={onClose}>
            {link.data === undefined ? 'Cancel' : 'Done'}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  )
}
