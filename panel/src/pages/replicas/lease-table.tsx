import { Table } from '@mantine/core'
import { keyLimits } from '../../../../src/key-limits.ts'
import type { PanelReplicas } from '../../../../src/protocol/panel/replicas.ts'
import { Time } from '../../components/time.tsx'
import { formatCount } from '../../format/format.ts'
import { FactsTable } from './facts-table.tsx'
import classes from './replicas-page.module.css'

type Lease = PanelReplicas['leases']['data'][number]
type LeaseTableProps = { leases: readonly Lease[]; replicas: PanelReplicas['replicas'] }

const heads = [
  'Key or account',
  'Limit',
  'Replica',
  { numeric: 'Granted' },
  { numeric: 'Used' },
  'Expires',
]

export function LeaseTable({ leases, replicas }: LeaseTableProps) {
  const names = new Map(replicas.map(({ id, name }) => [id, name]))
  return (
    <FactsTable label="Leases" heads={heads} minWidth={760}>
      {leases.map((lease) => (
        <Table.Tr key={`${lease.subject_id} ${lease.limit} ${lease.begin_ms} ${lease.replica_id}`}>
          <Table.Th scope="row" className={classes['name']}>
            <code>{lease.subject_id}</code>
            {lease.account_name !== null && (
              <span className={classes['note']}>
                <bdi>{lease.account_name}</bdi>
              </span>
            )}
          </Table.Th>
          <Table.Td>{limitLabel(lease.limit)}</Table.Td>
          <Table.Td className={classes['name']}>
            <bdi>{names.get(lease.replica_id) ?? 'Not listed'}</bdi>
            <code className={classes['id']}>{lease.replica_id}</code>
          </Table.Td>
          <Table.Td className={classes['number']}>{formatCount(lease.granted)}</Table.Td>
          <Table.Td className={classes['number']}>
            {lease.used === null ? '–' : formatCount(lease.used)}
          </Table.Td>
          <Table.Td>
            <Time ms={lease.expires_ms} show="relative" />
          </Table.Td>
        </Table.Tr>
      ))}
    </FactsTable>
  )
}

function limitLabel(wireName: string): string {
  return keyLimits.find((limit) => limit.wireName === wireName)?.label ?? wireName
}
