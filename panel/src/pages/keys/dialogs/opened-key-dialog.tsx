import { useIsMutating, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { PanelKey } from '../../../../../src/protocol/panel-keys.ts'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { ErrorState, Loading } from '../../../components/page/states.tsx'
import { CreateKey } from './create-key.tsx'
import type { DialogContentProps } from './dialog-content-props.ts'
import { EditKey } from './edit-key.tsx'
import { keyQuery } from '../../../key-query.ts'
import { RevokeKey } from './revoke-key.tsx'
import { issueKey } from '../keys-api.ts'
import { RotateKey } from './rotate-key.tsx'

type OpenedKeyDialogProps = {
  kind: 'create' | 'edit' | 'rotate' | 'revoke'
  keyId: string
  onClose: () => void
}

const titles = {
  create: 'Create key',
  edit: 'Edit key',
  rotate: 'Rotate key',
  revoke: 'Revoke key',
} as const

export function OpenedKeyDialog({ kind, keyId, onClose }: OpenedKeyDialogProps) {
  const [issued, setIssued] = useState(false)
  const isIssuing = useIsMutating({ mutationKey: issueKey }) > 0
  const content: DialogContentProps = { onClose, onIssued: () => setIssued(true) }
  return (
    <Dialog
      onClose={onClose}
      title={issued ? 'Save your key' : titles[kind]}
      size={issued ? 'xl' : 'md'}
      // If it were closed before the answer, the new secret would be lost.
      shownOnce={issued || isIssuing}
    >
      {kind === 'create' ? (
        <CreateKey {...content} />
      ) : (
        <WithKey id={keyId}>
          {(record) => {
            switch (kind) {
              case 'edit':
                return <EditKey record={record} {...content} />
              case 'rotate':
                return <RotateKey record={record} {...content} />
              case 'revoke':
                return <RevokeKey record={record} {...content} />
            }
          }}
        </WithKey>
      )}
    </Dialog>
  )
}

/** Loads the key. The content focuses a field itself, because it mounts after the dialog has opened. */
function WithKey({ id, children }: { id: string; children: (record: PanelKey) => ReactNode }) {
  // A form keeps the values that it starts with, so it must not start with a cached key. Its own cache entry is
  // dropped when the dialog closes. A refetch must not replace what the user is typing.
  const { data, error, refetch } = useQuery({
    ...keyQuery(id),
    queryKey: ['keys', 'opened', id],
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  if (data !== undefined) return children(data)
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  return <Loading rows={3} />
}
