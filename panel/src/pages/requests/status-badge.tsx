import { Tag } from '../../components/tag.tsx'
import { statusNames, type Status } from './receipt-words.ts'

const colors = {
  in_progress: 'indigo',
  completed: 'green',
  cancelled: 'gray',
  refused: 'yellow',
  failed: 'red',
} as const satisfies Record<Status, string>

export function StatusBadge({ status }: { status: Status }) {
  return <Tag color={colors[status]}>{statusNames[status]}</Tag>
}
