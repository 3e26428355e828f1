import { Modal } from '@mantine/core'
import { useEffect, useLayoutEffect, useState, type ReactNode } from 'react'
import classes from './dialog.module.css'

type DialogProps = {
  title: string
  onClose: () => void
  /** Only the dialog's button closes it, because it shows a secret that cannot be shown again. */
  shownOnce?: boolean
  size?: 'md' | 'xl'
  children: ReactNode
}

/** A dialog that is open while it is mounted. A click outside does not close it, so that typed text is not lost. */
export function Dialog({ title, onClose, shownOnce = false, size = 'md', children }: DialogProps) {
  useReturnedFocus()
  useOwnEscape()
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      classNames={{ content: classes['content'] }}
      // Mantine restores focus only for dialogs that stay mounted, so useReturnedFocus does it.
      returnFocus={false}
      closeOnClickOutside={false}
      closeOnEscape={!shownOnce}
      withCloseButton={!shownOnce}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </Modal>
  )
}

/** Marks Escape as handled, so that the page below does not act on it as well. */
function useOwnEscape(): void {
  // A layout effect, because Mantine's listener would otherwise come first and unmount this one.
  useLayoutEffect(() => {
    const mark = (event: KeyboardEvent) => event.key === 'Escape' && event.preventDefault()
    window.addEventListener('keydown', mark, { capture: true })
    return () => window.removeEventListener('keydown', mark, { capture: true })
  }, [])
}

/** The buttons at the end of a dialog. They stay in view while the dialog scrolls. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={classes['actions']}>{children}</div>
}

/**
 * Restores focus on close to the element that opened the dialog, or to the page's heading if that element is gone or
 * disabled.
 */
function useReturnedFocus(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
      if (document.activeElement !== document.body) return
      const heading = document.querySelector<HTMLElement>('[data-page-heading]')
      heading?.focus({ preventScroll: true })
    },
    [opener],
  )
}
