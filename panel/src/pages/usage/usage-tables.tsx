import { Table, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import type { PanelUsage, UsageSums } from '../../../../src/protocol/panel-usage.ts'
import { FirstRows } from '../../components/first-rows.tsx'
import { TableHead } from '../../components/table-head.tsx'
import { formatCount, formatMoney } from '../../format/format.ts'
import { pointLabel } from './point-label.ts'
import { durationOrNone } from './usage-totals.tsx'
import classes from './usage-tables.module.css'

type Row = { id: string; name: ReactNode; sums: UsageSums }

/** The number of rows that a table shows before a click on its button. */
type RowsAtFirst = { atFirst: number }

/** The charts' points as a table, latest first. */
export function PointTable({
  points,
  step,
  currency,
  atFirst,
}: Pick<PanelUsage, 'points' | 'step' | 'currency'> & RowsAtFirst) {
  const rows = points.toReversed().map((sums): Row => {
    const name = (
      <time dateTime={new Date(sums.begin_ms).toISOString()}>
        {pointLabel(sums.begin_ms, step)}
      </time>
    )
    return { id: String(sums.begin_ms), name, sums }
  })
  return (
    <SumsTable
      title={step === 'day' ? 'By day' : 'By hour'}
      head="Time"
      {...{ rows, currency, atFirst }}
    />
  )
}

/** Usage by key. Each key links to its own usage. */
export function KeyTable({
  keys,
  keys_left_out: leftOut,
  currency,
  atFirst,
}: Pick<PanelUsage, 'keys' | 'keys_left_out' | 'currency'> & RowsAtFirst) {
  const rows = keys.map(({ key_id, name, ...sums }): Row => {
    const link = (
      <Link to="/usage" search={(search) => ({ ...search, key: key_id })} resetScroll={false}>
        <bdi className={classes['key']} title={name}>
          {name}
        </bdi>
      </Link>
    )
    return { id: key_id, name: link, sums }
  })
  const more = leftOut === 1 ? 'key with fewer tokens is' : 'keys with fewer tokens are'
  const note = leftOut === 0 ? undefined : `${formatCount(leftOut)} more ${more} not shown.`
  return <SumsTable title="By key" head="Key" {...{ rows, currency, note, atFirst }} />
}

type SumsTableProps = RowsAtFirst & {
  title: string
  head: string
  rows: readonly Row[]
  /** Null if no prices are set. The table then shows no costs. */
  currency: string | null
  note?: string | undefined
}

function SumsTable({ title, head, rows, currency, note, atFirst }: SumsTableProps) {
  const columns = currency === null ? sumColumns : [...sumColumns, costColumn(currency)]
  const headings = [head, ...columns.map(({ label }) => ({ label, className: classes['number'] }))]
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className={classes['section']}>
      <Title order={2} id={titleId}>
        {title}
      </Title>
      <FirstRows rows={rows} atFirst={atFirst} what="rows">
        {(shown) => (
          <Table.ScrollContainer
            minWidth={640}
            type="native"
            tabIndex={0}
            aria-labelledby={titleId}
            role="group"
          >
            <Table aria-labelledby={titleId} className="numeric" highlightOnHover>
              <TableHead headings={headings} />
              <Table.Tbody>
                {shown.map(({ id, name, sums }) => (
                  <Table.Tr
                    key={id}
                    className={sums.requests === 0 ? classes['nothing'] : undefined}
                  >
                    <Table.Th scope="row" className={classes['name']}>
                      {name}
                    </Table.Th>
                    {columns.map(({ label, text }) => (
                      <Table.Td key={label} className={classes['number']}>
                        {text(sums)}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </FirstRows>
      {note !== undefined && <p className={classes['note']}>{note}</p>}
    </section>
  )
}

type Column = { label: string; text: (sums: UsageSums) => string }

const sumColumns: readonly Column[] = [
  { label: 'Requests', text: (sums) => formatCount(sums.requests) },
  { label: 'Errors', text: (sums) => formatCount(sums.errors) },
  { label: 'Prompt tokens', text: (sums) => formatCount(sums.prompt_tokens) },
  { label: 'Cached', text: (sums) => formatCount(sums.cached_tokens) },
  { label: 'Completion tokens', text: (sums) => formatCount(sums.completion_tokens) },
  { label: 'p50', text: (sums) => durationOrNone(sums.p50_ms) },
  { label: 'p95', text: (sums) => durationOrNone(sums.p95_ms) },
]

function costColumn(currency: string): Column {
  return {
    label: 'Cost',
    text: ({ cost }) => (cost === null ? '–' : formatMoney(cost, currency)),
  }
}
