import { Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog, DialogActions } from './dialog.tsx'
import { FormError } from '../form-error.tsx'

type ConfirmDialogProps = {
  title: string
  /** The effects of the action. */
  children: ReactNode
  /** The confirm button's text: "Disable account". */
  confirm: string
  pending: boolean
  error: Error | null
  onConfirm: () => void
  onClose: () => void
}

/** Asks for confirmation before an action that affects other people. Open while it is mounted. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirm, pending, error, onConfirm, onClose } = props
  return (
    <Dialog title={title} onClose={onClose}>
      <Stack gap="md">
        <div>{children}</div>
        <FormError error={error} />
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red" loading={pending} onClick={onConfirm} data-autofocus>
            {confirm}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  )
}
