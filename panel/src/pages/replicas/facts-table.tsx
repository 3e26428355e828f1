import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
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
  return (
    <Table.ScrollContainer
      minWidth={minWidth}
      type="native"
      tabIndex={0}
      role="group"
      aria-label={label}
    >
      <Table aria-label={label} className="numeric" verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            {heads.map((head) =>
              typeof head === 'string' ? (
                <Table.Th key={head} scope="col">
                  {head}
                </Table.Th>
              ) : (
                <Table.Th key={head.numeric} scope="col" className={classes['number']}>
                  {head.numeric}
                </Table.Th>
              ),
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
