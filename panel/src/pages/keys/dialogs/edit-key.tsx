import { useState } from 'react'
import type { PanelKey, PanelKeyChanges } from '../../../../../src/protocol/panel-keys.ts'
import { changedLimits } from '../../../limit-texts.ts'
import { KeyForm, type KeyValues } from './key-form.tsx'
import { useEditKey } from '../keys-api.ts'
import type { DialogContentProps } from './dialog-content-props.ts'

export function EditKey({ record: opened, onClose }: DialogContentProps & { record: PanelKey }) {
  // Keeps the values that the form began with, also when the record is loaded again while the dialog is open.
  const [record] = useState(opened)
  const edit = useEditKey(record.id)
  const save = (values: KeyValues) => {
    const changes = toChanges(record, values)
    if (Object.keys(changes).length === 0) onClose()
    else edit.mutate(changes, { onSuccess: onClose })
  }
  return (
    <KeyForm
      record={record}
      submitLabel="Save"
      isPending={edit.isPending}
      error={edit.error}
      onCancel={onClose}
      onSubmit={save}
    />
  )
}

/** Leaves out what the user did not change: another admin or the CLI may have changed it meanwhile. */
function toChanges(before: PanelKey, values: KeyValues): PanelKeyChanges {
  const { name, scopes, expires_ms: expiresMs } = values
  const limits = changedLimits(before.limits, values.limits)
  const hasSameScopes =
    scopes.length === before.scopes.length && scopes.every((scope) => before.scopes.includes(scope))
  return {
    ...(name !== before.name && { name }),
    ...(!hasSameScopes && { scopes }),
    ...(expiresMs !== undefined && { expires_ms: expiresMs }),
    ...(limits !== undefined && { limits }),
  }
}
