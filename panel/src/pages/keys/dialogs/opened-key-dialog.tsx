import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { PanelKey } from '../../../../../src/protocol/panel-keys.ts'
import { ErrorState, Loading } from '../../../components/page/states.tsx'
import { CreateKey } from './create-key.tsx'
import { EditKey } from './edit-key.tsx'
import { keyQuery } from '../../../key-query.ts'
import { RevokeKey } from './revoke-key.tsx'
import { RotateKey } from './rotate-key.tsx'

type OpenedKeyDialogProps = {
  kind: 'create' | 'edit' | 'rotate' | 'revoke'
  keyId: string
  onClose: () => void
}

/** What the content of a dialog may do with it. */
export type DialogContentProps = {
  onClose: () => void
  /** From now on only its own button closes it: what it shows cannot be shown again. */
  onIssued: () => void
}

const titles = {
  create: 'Create key',
  edit: 'Edit key',
  rotate: 'Rotate key',
  revoke: 'Revoke key',
} as const

export function OpenedKeyDialog({ kind, keyId, onClose }: OpenedKeyDialogProps) {
  const [issued, setIssued] = useState(false)
  const content = { onClose, onIssued: () => setIssued(true) }
  return (
    <Modal
      opened
      onClose={onClose}
      title={issued ? 'Your new key' : titles[kind]}
      size={issued ? 'xl' : 'md'}
      closeOnClickOutside={false}
      closeOnEscape={!issued}
      withCloseButton={!issued}
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
    </Modal>
  )
}

/** What is in it takes the focus by itself: the dialog has opened before the record came. */
function WithKey({ id, children }: { id: string; children: (record: PanelKey) => ReactNode }) {
  // Later changes of the record must not take away what is being typed.
  const { data, error, refetch } = useQuery({ ...keyQuery(id), refetchOnWindowFocus: false })
  if (data !== undefined) return children(data)
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  return <Loading rows={3} />
}
