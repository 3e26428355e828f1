import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'

type TagProps = { color: 'gray' | 'green' | 'indigo' | 'red' | 'yellow'; children: ReactNode }

/** A state in a word or two. The colour never carries the meaning alone. */
export function Tag({ color, children }: TagProps) {
  return (
    <Badge variant="light" color={color} radius="sm" tt="none" fw={600} miw="max-content">
      {children}
    </Badge>
  )
}
