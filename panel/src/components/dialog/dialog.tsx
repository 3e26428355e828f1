import { Modal } from '@mantine/core'
import { useEffect, useEffectEvent, useLayoutEffect, useState, type ReactNode } from 'react'
import classes from './dialog.module.css'
import { useStay } from './use-stay.ts'

type DialogProps = {
  title: string
  onClose: () => void
  /** Only the dialog's button closes it, because it shows or waits for a secret that cannot be shown again. */
  shownOnce?: boolean
  size?: 'md' | 'xl'
  children: ReactNode
}

/** A dialog that is open while it is mounted. A click outside does not close it, so that typed text is not lost. */
export function Dialog({ title, onClose, shownOnce = false, size = 'md', children }: DialogProps) {
  useReturnedFocus()
  useEscape(() => {
    if (!shownOnce) onClose()
  })
  useStay(shownOnce)
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
      // Mantine would close all open dialogs, so useEscape does it.
      closeOnEscape={false}
      withCloseButton={!shownOnce}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </Modal>
  )
}

/** The open dialogs, the topmost one last. */
const openDialogs: object[] = []

/** Closes the topmost dialog on Escape, and marks Escape as handled, so that the page below does not act on it as well. */
function useEscape(close: () => void): void {
  const onEscape = useEffectEvent(close)
  useLayoutEffect(() => {
    const dialog = {}
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || openDialogs.at(-1) !== dialog) return
      event.preventDefault()
      if (!event.isComposing) onEscape()
    }
    openDialogs.push(dialog)
    window.addEventListener('keydown', listen, { capture: true })
    return () => {
      window.removeEventListener('keydown', listen, { capture: true })
      openDialogs.splice(openDialogs.indexOf(dialog), 1)
    }
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
