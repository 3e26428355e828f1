import { Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { PanelPrice } from '../../../../../src/protocol/panel/prices.ts'
import { ConfirmButton } from '../../../components/dialog/confirm-button.tsx'
import { FormError } from '../../../components/form-error.tsx'
import { Section } from '../../../components/page/section.tsx'
import { ErrorState, Loading } from '../../../components/page/states.tsx'
import { FirstRows } from '../../../components/first-rows.tsx'
import { TableHead } from '../../../components/table-head.tsx'
import { TableScrollContainer } from '../../../components/table-scroll-container.tsx'
import { FormDetails } from '../form-details.tsx'
import classes from '../spending.module.css'
import { PriceForm } from './price-form.tsx'
import { pricesQuery, useRemovePrice } from './prices-api.ts'

const rowsShownAtFirst = 3

/** Token prices, and a form for new ones. */
export function PricesSection() {
  const { data, error, refetch } = useQuery(pricesQuery)
  return (
    <Section
      title="Prices"
      description="Prices per million tokens. With prices, Usage and its exports show a cost. Each UTC day has the prices valid on it, so prices from a past day change past costs."
    >
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading rows={2} />}
      {data !== undefined && data.data.length > 0 && (
        <FirstRows rows={data.data} atFirst={rowsShownAtFirst} what="prices">
          {(prices) => <PriceTable prices={prices} />}
        </FirstRows>
      )}
      {data?.data.length === 0 && (
        <Text size="sm" c="dimmed">
          No prices yet. Usage shows tokens only.
        </Text>
      )}
      {data !== undefined && (
        <FormDetails summary="Set prices" isOpen={data.data.length === 0}>
          <PriceForm latest={data.data[0]} />
        </FormDetails>
      )}
    </Section>
  )
}

function PriceTable({ prices }: { prices: readonly PanelPrice[] }) {
  return (
    <TableScrollContainer minWidth={420} tabIndex={0} role="group" aria-label="Prices">
      <Table aria-label="Prices" className="numeric">
        <TableHead headings={['From (UTC)', 'Prompt', 'Cached', 'Completion', 'Actions']} />
        <Table.Tbody>
          {prices.map((price) => (
            <PriceRow key={price.from} price={price} />
          ))}
        </Table.Tbody>
      </Table>
    </TableScrollContainer>
  )
}

function PriceRow({ price }: { price: PanelPrice }) {
  const { from, currency, prompt, cached, completion } = price
  const remove = useRemovePrice(from)
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes['nowrap']}>
        {from}
      </Table.Th>
      {[prompt, cached, completion].map((amount, column) => (
        // oxlint-disable-next-line react/no-array-index-key
        <Table.Td key={column} className={classes['nowrap']}>
          {amount} {currency}
        </Table.Td>
      ))}
      <Table.Td>
        <ConfirmButton
          label="Remove"
          fullLabel={`Remove the prices from ${from}`}
          confirmLabel="Remove prices"
          isPending={remove.isPending}
          onConfirm={() => remove.mutate(undefined)}
        />
        <FormError error={remove.error} />
      </Table.Td>
    </Table.Tr>
  )
}
