import { Text, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import classes from './part.module.css'

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
      {children}
    </section>
  )
}
