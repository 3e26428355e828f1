import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx'
import { type ModelAction, useModelAction } from '../models-api.ts'

type ModelDialogProps = { action: ModelAction; name: string; onClose: () => void }

/** Asks for confirmation before all requests move to another model, and before files are deleted. */
export function ModelDialog({ action, name, onClose }: ModelDialogProps) {
  const change = useModelAction(name)
  const confirm = () => change.mutate(action, { onSuccess: onClose })
  const shared = { pending: change.isPending, error: change.error, onConfirm: confirm, onClose }
  if (action === 'remove')
    return (
      <ConfirmDialog title="Remove this model?" confirm="Remove model" {...shared}>
        The files of <strong>{name}</strong> are deleted from this machine. You can pull it again.
      </ConfirmDialog>
    )
  return (
    <ConfirmDialog title="Use this model?" confirm="Use model" {...shared}>
      All new requests will be answered by <strong>{name}</strong>. Replies in progress finish with
      the current model. If memory does not suffice for both, new requests wait until the model is
      loaded. Apps need no change, but the fingerprint of replies changes.
    </ConfirmDialog>
  )
}
