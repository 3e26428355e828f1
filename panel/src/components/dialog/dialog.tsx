import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'

type DialogProps = {
  title: string
  onClose: () => void
  /** Only the dialog's own button closes it, because it shows a secret for the only time. */
  shownOnce?: boolean
  children: ReactNode
}

/** Mounted while open. A click outside does not close it, so that typed text is not lost. */
export function Dialog({ title, onClose, shownOnce = false, children }: DialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={!shownOnce}
      withCloseButton={!shownOnce}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </Modal>
  )
}
