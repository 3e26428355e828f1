import { Table } from '@mantine/core'

type Heading = string | { label: string; className: string | undefined }

/** The row of column headings of a table. */
export function TableHead({ headings }: { headings: readonly Heading[] }) {
  return (
    <Table.Thead>
      <Table.Tr>
        {headings.map((heading) => {
          const { label, className } =
            typeof heading === 'string' ? { label: heading, className: undefined } : heading
          return (
            <Table.Th key={label} scope="col" className={className}>
              {label}
            </Table.Th>
          )
        })}
      </Table.Tr>
    </Table.Thead>
  )
}
