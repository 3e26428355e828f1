import type { PanelKey } from '../../../../../src/protocol/panel-keys.ts'
import { KeyForm } from './key-form.tsx'
import { useEditKey } from '../keys-api.ts'
import type { DialogContentProps } from './dialog-content-props.ts'

export function EditKey({ record, onClose }: DialogContentProps & { record: PanelKey }) {
  const edit = useEditKey(record.id)
  return (
    <KeyForm
      record={record}
      submitLabel="Save"
      isPending={edit.isPending}
      error={edit.error}
      onCancel={onClose}
      onSubmit={({ expires_ms: expiresMs, ...values }) =>
        edit.mutate(
          { ...values, ...(expiresMs !== undefined && { expires_ms: expiresMs }) },
          { onSuccess: onClose },
        )
      }
    />
  )
}
