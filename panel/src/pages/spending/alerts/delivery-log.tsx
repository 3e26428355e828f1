import { Table, Text } from '@mantine/core'
import type { AlertDelivery } from '../../../../../src/protocol/panel/alerts.ts'
import { FirstRows } from '../../../components/first-rows.tsx'
import { TableHead } from '../../../components/table-head.tsx'
import { TableScrollContainer } from '../../../components/table-scroll-container.tsx'
import { Tag } from '../../../components/tag.tsx'
import { Time } from '../../../components/time.tsx'
import classes from '../spending.module.css'

const rowsShownAtFirst = 3

/** The newest deliveries with their results. */
export function DeliveryLog({ deliveries }: { deliveries: readonly AlertDelivery[] }) {
  if (deliveries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No alerts sent yet.
      </Text>
    )
  return (
    <FirstRows rows={deliveries} atFirst={rowsShownAtFirst} what="deliveries">
      {(shown) => (
        <TableScrollContainer minWidth={520} tabIndex={0} role="group" aria-label="Deliveries">
          <Table aria-label="Deliveries" className="numeric">
            <TableHead headings={['Time', 'Alert', 'Status', 'Attempts']} />
            <Table.Tbody>
              {shown.map((delivery) => (
                <DeliveryRow key={delivery.id} delivery={delivery} />
              ))}
            </Table.Tbody>
          </Table>
        </TableScrollContainer>
      )}
    </FirstRows>
  )
}

const states = {
  waiting: { color: 'yellow', text: 'Waiting' },
  delivered: { color: 'green', text: 'Delivered' },
  failed: { color: 'red', text: 'Failed' },
} as const

function DeliveryRow({ delivery }: { delivery: AlertDelivery }) {
  const { channel, subject, state, result, attempts, next_ms: nextMs } = delivery
  return (
    <Table.Tr>
      <Table.Td className={classes['nowrap']}>
        <Time ms={delivery.created_ms} show="relative" />
      </Table.Td>
      <Table.Td className={classes['result']}>
        <bdi>{subject}</bdi>
        <Text size="xs" c="dimmed">
          {channel === 'webhook' ? 'Webhook' : 'E-mail'}
        </Text>
      </Table.Td>
      <Table.Td className={classes['result']}>
        <Tag color={states[state].color}>{states[state].text}</Tag>
        {result !== null && (
          <Text size="xs" c="dimmed">
            {result}
          </Text>
        )}
        {nextMs !== null && attempts > 0 && (
          <Text size="xs" c="dimmed">
            Next attempt <Time ms={nextMs} show="relative" />
          </Text>
        )}
      </Table.Td>
      <Table.Td>{attempts}</Table.Td>
    </Table.Tr>
  )
}
