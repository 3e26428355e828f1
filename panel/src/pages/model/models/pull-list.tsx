import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import type { PanelPull } from '../../../../../src/protocol/panel/models.ts'
import { FormError } from '../../../components/form-error.tsx'
import { Tag } from '../../../components/tag.tsx'
import { formatBytes } from '../../../format/format-bytes.ts'
import { formatDuration, formatPercent } from '../../../format/format.ts'
import { usePullAction } from '../models-api.ts'
import classes from './models.module.css'

type PullListProps = { pulls: readonly PanelPull[]; isAdmin: boolean }

const states = {
  waiting: { label: 'Waiting', color: 'gray' },
  running: { label: 'Downloading', color: 'indigo' },
  failed: { label: 'Failed', color: 'red' },
  stopped: { label: 'Paused', color: 'yellow' },
} as const

/** Running, queued, failed and paused pulls. */
export function PullList({ pulls, isAdmin }: PullListProps) {
  if (pulls.length === 0) return null
  return (
    <ul className={classes['pulls']} aria-label="Downloads">
      {pulls.map((pull) => (
        <PullItem key={pull.id} pull={pull} isAdmin={isAdmin} />
      ))}
    </ul>
  )
}

function PullItem({ pull, isAdmin }: { pull: PanelPull; isAdmin: boolean }) {
  const { label, color } = states[pull.state]
  const name = pull.name ?? pull.model
  return (
    <li className={classes['pull']}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <strong className={classes['name']}>{name}</strong>
          <Tag color={color}>{label}</Tag>
        </Group>
        {isAdmin && <PullActions pull={pull} name={name} />}
      </Group>
      {(pull.state === 'running' || pull.bytes > 0) && <PullBar pull={pull} name={name} />}
      {pull.message !== null && (
        <Text size="sm" role={pull.state === 'failed' ? 'alert' : undefined}>
          {pull.message}
        </Text>
      )}
    </li>
  )
}

function PullBar({ pull, name }: { pull: PanelPull; name: string }) {
  const { bytes, total_bytes: total, bytes_per_second: speed, seconds_left: left } = pull
  const share = total === null || total === 0 ? 0 : Math.min(1, bytes / total)
  const parts = [
    total === null ? formatBytes(bytes) : `${formatBytes(bytes)} of ${formatBytes(total)}`,
    ...(total === null ? [] : [formatPercent(share)]),
    ...(speed === null ? [] : [`${formatBytes(speed)}/s`]),
    ...(left === null ? [] : [`${formatDuration(1000 * Math.ceil(left))} left`]),
  ]
  return (
    <div>
      <Progress value={100 * share} aria-label={`Download of ${name}`} />
      <Text size="xs" c="dimmed" className="numeric">
        {parts.join(' · ')}
      </Text>
    </div>
  )
}

function PullActions({ pull, name }: { pull: PanelPull; name: string }) {
  const change = usePullAction(pull.id)
  const button = (action: 'cancel' | 'resume' | 'discard', label: string) => (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={`${label}: ${name}`}
      loading={change.isPending && change.variables === action}
      onClick={() => change.mutate(action)}
    >
      {label}
    </Button>
  )
  const isOpen = pull.state === 'running' || pull.state === 'waiting'
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {isOpen ? (
          button('cancel', 'Cancel')
        ) : (
          <>
            {button('resume', 'Resume')}
            {button('discard', 'Discard')}
          </>
        )}
      </Group>
      <FormError error={change.error} />
    </Stack>
  )
}
