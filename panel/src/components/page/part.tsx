import { useId, type ReactNode } from 'react'
import classes from './part.module.css'
import { SectionHeading } from './section-heading.tsx'

type PartProps = {
  title: string
  description?: string
  children: ReactNode
  className?: string | undefined
}

/** A part of a page with its heading above the content. */
export function Part({ title, description, children, className = '' }: PartProps) {
  const id = useId()
  return (
    <section className={`${classes['part']} ${className}`} aria-labelledby={id}>
      <SectionHeading id={id} title={title} description={description} />
      {children}
    </section>
  )
}
