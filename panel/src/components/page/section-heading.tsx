import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type SectionHeadingProps = {
  /** Labels the section: its `aria-labelledby`. */
  id: string
  title: string
  description?: ReactNode
}

/** The heading of a section or part of a page, with a sentence below it. */
export function SectionHeading({ id, title, description }: SectionHeadingProps) {
  return (
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
  )
}
