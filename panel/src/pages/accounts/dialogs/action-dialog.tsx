import type { PanelAccount } from '../../../../../src/protocol/panel-accounts.ts'
import { AccountDialog } from './account-dialog.tsx'
import { DisableDialog, EnableDialog } from './disable-dialog.tsx'
import { ResetDialog } from './reset-dialog.tsx'

export type AccountAction = 'edit' | 'reset' | 'disable' | 'enable'

type ActionDialogProps = { action: AccountAction; account: PanelAccount; onClose: () => void }

/** The dialog for one action on an account. */
export function ActionDialog({ action, account, onClose }: ActionDialogProps) {
  switch (action) {
    case 'edit':
      return <AccountDialog account={account} onClose={onClose} />
    case 'reset':
      return <ResetDialog account={account} onClose={onClose} />
    case 'disable':
      return <DisableDialog account={account} onClose={onClose} />
    case 'enable':
      return <EnableDialog account={account} onClose={onClose} />
  }
}
