import { Stack } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import classes from './section.module.css'
import { SectionHeading } from './section-heading.tsx'

type SectionProps = { title: string; description?: ReactNode; children: ReactNode }

/** A part of a page with its own heading, which stands beside the content on wide screens. */
export function Section({ title, description, children }: SectionProps) {
  const id = useId()
  return (
    <section className={classes['section']} aria-labelledby={id}>
      <SectionHeading id={id} title={title} description={description} />
      <Stack className={classes['content']} gap="md">
        {children}
      </Stack>
    </section>
  )
}
