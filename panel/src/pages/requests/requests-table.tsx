import { Table } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { KeyName } from '../../components/keys/key-name.tsx'
import { TableHead } from '../../components/table-head.tsx'
import { Time } from '../../components/time.tsx'
import { formatCount, formatDuration } from '../../format/format.ts'
import type { Receipt } from '../../../../src/protocol/receipt.ts'
import classes from './requests-table.module.css'
import { StatusBadge } from './status-badge.tsx'
import { timingOf } from '../../receipt/timing-parts.ts'

const wideNumber = `${classes['wide']} ${classes['number']}`
const headings = [
  'Request',
  'Time',
  'Status',
  { label: 'Key', className: classes['wide'] },
  { label: 'Prompt', className: wideNumber },
  { label: 'Completion', className: wideNumber },
  { label: 'Duration', className: wideNumber },
]

/** A table of requests. Each whole row links to its receipt; phones show only the main columns. */
export function RequestsTable({ receipts }: { receipts: readonly Receipt[] }) {
  return (
    <Table className={`numeric ${classes['table']}`} highlightOnHover aria-label="Requests">
      <TableHead headings={headings} />
      <Table.Tbody>
        {receipts.map((receipt) => (
          <RequestRow key={receipt.id} receipt={receipt} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function RequestRow({ receipt }: { receipt: Receipt }) {
  const { id, created, status, error, key_id: keyId, usage, timing } = receipt
  const time = timingOf(timing)
  return (
    <Table.Tr className={classes['row']}>
      <Table.Th scope="row" className={classes['id']}>
        <Link to="/requests/$id" params={{ id }} className={classes['link']}>
          {shortId(id)}
        </Link>
      </Table.Th>
      <Table.Td className={classes['above']}>
        <Time ms={created * 1000} />
      </Table.Td>
      <Table.Td>
        <StatusBadge status={status} />
        {error !== null && <code className={classes['code']}>{error.code}</code>}
      </Table.Td>
      <Table.Td className={`${classes['wide']} ${classes['key']}`}>
        <KeyName keyId={keyId} />
      </Table.Td>
      <Table.Td className={wideNumber}>{formatCount(usage.prompt_tokens)}</Table.Td>
      <Table.Td className={wideNumber}>{formatCount(usage.completion_tokens)}</Table.Td>
      <Table.Td className={wideNumber}>
        {time === undefined ? '–' : formatDuration(time.totalMs)}
      </Table.Td>
    </Table.Tr>
  )
}

/** Shortens an id to its last 8 characters. Its start encodes the time, which is similar in neighbouring rows. */
function shortId(id: string): string {
  return id.length <= 14 ? id : `req_…${id.slice(-8)}`
}
