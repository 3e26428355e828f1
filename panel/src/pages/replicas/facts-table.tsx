import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { TableHead } from '../../components/table-head.tsx'
import classes from './replicas-page.module.css'

type FactsTableProps = {
  label: string
  /** Column headings. Numeric columns are right-aligned. */
  heads: readonly (string | { numeric: string })[]
  minWidth: number
  children: ReactNode
}

/** A table of states that scrolls sideways on narrow screens. */
export function FactsTable({ label, heads, minWidth, children }: FactsTableProps) {
  const headings = heads.map((head) =>
    typeof head === 'string' ? head : { label: head.numeric, className: classes['number'] },
  )
  return (
    <Table.ScrollContainer
      minWidth={minWidth}
      type="native"
      tabIndex={0}
      role="group"
      aria-label={label}
    >
      <Table aria-label={label} className="numeric" verticalSpacing="xs">
        <TableHead headings={headings} />
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
