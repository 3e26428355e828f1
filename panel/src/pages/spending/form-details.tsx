import { type ReactNode, useState } from 'react'
import classes from './spending.module.css'

type FormDetailsProps = { summary: string; isOpen: boolean; children: ReactNode }

/** A form that can be collapsed. `isOpen` applies only at first, so that a form stays open after it was saved. */
export function FormDetails({ summary, isOpen, children }: FormDetailsProps) {
  const [isOpenAtFirst] = useState(isOpen)
  return (
    <details open={isOpenAtFirst}>
      <summary className={classes['summary']}>{summary}</summary>
      {children}
    </details>
  )
}
