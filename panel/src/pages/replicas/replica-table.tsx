import { Group, Table } from '@mantine/core'
import type { PanelReplicas } from '../../../../src/protocol/panel/replicas.ts'
import { Tag } from '../../components/tag.tsx'
import { Time } from '../../components/time.tsx'
import { formatCount } from '../../format/format.ts'
import { FactsTable } from './facts-table.tsx'
import classes from './replicas-page.module.css'

type Replica = PanelReplicas['replicas'][number]

const states = {
  live: { label: 'Live', color: 'green' },
  expired: { label: 'No heartbeat', color: 'red' },
  closing: { label: 'Closing', color: 'yellow' },
} as const satisfies Record<Replica['state'], object>

type ReplicaTableProps = { replicas: readonly Replica[]; isShared: boolean }

export function ReplicaTable({ replicas, isShared }: ReplicaTableProps) {
  const heads = [
    'Replica',
    'State',
    'Version',
    'Started',
    ...(isShared ? ['Last heartbeat'] : []),
    { numeric: 'In flight' },
  ]
  return (
    <FactsTable label="Replicas" heads={heads} minWidth={isShared ? 680 : 560}>
      {replicas.map((replica) => (
        <Table.Tr key={replica.id ?? ''}>
          <Table.Th scope="row" className={classes['name']}>
            <Group gap="xs">
              <bdi>{replica.name}</bdi>
              {replica.is_this && isShared && <Tag color="indigo">This one</Tag>}
            </Group>
            {replica.id !== null && <code className={classes['id']}>{replica.id}</code>}
          </Table.Th>
          <Table.Td>
            <Tag color={states[replica.state].color}>{states[replica.state].label}</Tag>
          </Table.Td>
          <Table.Td>{replica.version ?? 'Unknown'}</Table.Td>
          <Table.Td>
            <Time ms={replica.started_ms} show="relative" />
          </Table.Td>
          {isShared && (
            <Table.Td>
              <Time ms={replica.seen_ms} show="relative" />
            </Table.Td>
          )}
          <Table.Td className={classes['number']}>{formatCount(replica.in_flight)}</Table.Td>
        </Table.Tr>
      ))}
    </FactsTable>
  )
}
