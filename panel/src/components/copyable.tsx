import { useRef } from 'react'
import { CopyButton } from './copy-button.tsx'
import classes from './copyable.module.css'

/** A text with a copy button. `what` completes the button's label: "Copy request ID". */
export function Copyable({ text, what }: { text: string; what: string }) {
  const shown = useRef<HTMLElement>(null)
  const select = () => {
    if (shown.current !== null) window.getSelection()?.selectAllChildren(shown.current)
  }
  return (
    <span className={classes['copyable']}>
      <code ref={shown}>{text}</code>
      <CopyButton text={text} label={`Copy ${what}`} onRefused={select} />
    </span>
  )
}
