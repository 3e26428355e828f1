import { Stack, Text, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import classes from './section.module.css'

type SectionProps = { title: string; description?: ReactNode; children: ReactNode }

/** A part of a page with its own heading, which stands beside the content on wide screens. */
export function Section({ title, description, children }: SectionProps) {
  const id = useId()
  return (
    <section className={classes['section']} aria-labelledby={id}>
      <div>
        <Title order={2} id={id}>
          {title}
        </Title>
        {description !== undefined && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
      </div>
      <Stack className={classes['content']} gap="md">
        {children}
      </Stack>
    </section>
  )
}
