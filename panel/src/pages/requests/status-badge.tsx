import { Badge } from '@mantine/core'
import { statusNames, type Status } from './receipt-words.ts'

const colors: Readonly<Record<Status, string>> = {
  in_progress: 'indigo',
  completed: 'green',
  cancelled: 'gray',
  refused: 'yellow',
  failed: 'red',
}

export function StatusBadge({ status }: { status: Status }) {
  return (
    <Badge variant="light" color={colors[status]} radius="sm" tt="none" fw={600}>
      {statusNames[status]}
    </Badge>
  )
}
