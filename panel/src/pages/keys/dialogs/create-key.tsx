import { scopes } from '../../../../../src/accounts/scopes.ts'
import type { PanelKey } from '../../../../../src/protocol/panel-keys.ts'
import { IssuedKey } from './issued-key.tsx'
import { noLimits } from '../../../limit-texts.ts'
import { KeyForm } from './key-form.tsx'
import { useCreateKey } from '../keys-api.ts'
import type { DialogContentProps } from './dialog-content-props.ts'

const newKey: Pick<PanelKey, 'name' | 'scopes' | 'expires_ms' | 'limits'> = {
  name: '',
  scopes: [...scopes],
  expires_ms: null,
  limits: noLimits,
}

export function CreateKey({ onClose, onIssued }: DialogContentProps) {
  const create = useCreateKey()
  if (create.isSuccess) return <IssuedKey issued={create.data} onClose={onClose} />
  return (
    <KeyForm
      record={newKey}
      submitLabel="Create key"
      isPending={create.isPending}
      error={create.error}
      onCancel={onClose}
      onSubmit={({ expires_ms: expiresMs = null, ...values }) =>
        create.mutate({ ...values, expires_ms: expiresMs }, { onSuccess: onIssued })
      }
    />
  )
}
