import type { PanelAccount } from '../../../../../src/protocol/panel-accounts.ts'
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx'
import { useChangeAccount } from '../accounts-api.ts'

type DisableDialogProps = { account: PanelAccount; onClose: () => void }

export function DisableDialog({ account, onClose }: DisableDialogProps) {
  const change = useChangeAccount(account)
  return (
    <ConfirmDialog
      title="Disable this account?"
      confirm="Disable account"
      pending={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ disabled: true }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <bdi>{account.name}</bdi> will be signed out everywhere. Its API keys stop working within a
      second, and replies in progress end. Nothing is deleted: you can enable the account again.
      {account.role === 'admin' && ' Pending invites and password reset links stop working.'}
    </ConfirmDialog>
  )
}

export function EnableDialog({ account, onClose }: DisableDialogProps) {
  const change = useChangeAccount(account)
  return (
    <ConfirmDialog
      title="Enable this account?"
      confirm="Enable account"
      pending={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ disabled: false }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <bdi>{account.name}</bdi> can sign in again. Its API keys work again, except revoked ones.
    </ConfirmDialog>
  )
}
