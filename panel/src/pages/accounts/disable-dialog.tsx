import type { PanelAccount } from '../../../../src/protocol/panel-accounts.ts'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog.tsx'
import { useChangeAccount } from './accounts-api.ts'

type DisableDialogProps = { account: PanelAccount; onClose: () => void }

export function DisableDialog({ account, onClose }: DisableDialogProps) {
  const change = useChangeAccount(account)
  return (
    <ConfirmDialog
      title="Disable this account?"
      confirm="Disable the account"
      pending={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ disabled: true }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <bdi>{account.name}</bdi> is signed out everywhere, and each of its keys is refused within a
      second, also in the middle of a reply. Nothing is deleted: you can enable it again.
    </ConfirmDialog>
  )
}

export function EnableDialog({ account, onClose }: DisableDialogProps) {
  const change = useChangeAccount(account)
  return (
    <ConfirmDialog
      title="Enable this account?"
      confirm="Enable the account"
      pending={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ disabled: false }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <bdi>{account.name}</bdi> can sign in again, and its keys that were not revoked work again.
    </ConfirmDialog>
  )
}
