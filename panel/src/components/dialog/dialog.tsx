import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'

type DialogProps = {
  title: string
  onClose: () => void
  /** What it shows cannot be shown again: only its own button closes it. */
  unique?: boolean
  children: ReactNode
}

/** Mounted while it is open. A click beside it closes nothing, so that what was typed is not lost. */
export function Dialog({ title, onClose, unique = false, children }: DialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={!unique}
      withCloseButton={!unique}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </Modal>
  )
}
