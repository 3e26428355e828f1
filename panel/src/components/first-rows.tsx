import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { formatCount } from '../format/format.ts'

type FirstRowsProps<Row> = {
  rows: readonly Row[]
  atFirst: number
  /** The plural name of the rows on the button, such as "deliveries". */
  what: string
  children: (shown: readonly Row[]) => ReactNode
}

/** Shows the first rows of a list, and all of them after a click. */
export function FirstRows<Row>({ rows, atFirst, what, children }: FirstRowsProps<Row>) {
  const [all, setAll] = useState(false)
  const shown = all ? rows : rows.slice(0, atFirst)
  return (
    <>
      {children(shown)}
      {shown.length < rows.length && (
        <Button variant="default" size="xs" w="max-content" onClick={() => setAll(true)}>
          Show all {formatCount(rows.length)} {what}
        </Button>
      )}
    </>
  )
}
