import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'

type TagProps = { color: 'gray' | 'green' | 'indigo' | 'red' | 'yellow'; children: ReactNode }

/** A badge with a state in one or two words. The colour never carries the meaning alone. */
export function Tag({ color, children }: TagProps) {
  return (
    <Badge variant="light" color={color} radius="sm" tt="none" fw={600} miw="max-content">
      {children}
    </Badge>
  )
}
