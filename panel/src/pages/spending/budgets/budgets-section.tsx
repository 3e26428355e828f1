import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { PanelBudget } from '../../../../../src/protocol/panel/budgets.ts'
import { ConfirmButton } from '../../../components/dialog/confirm-button.tsx'
import { FirstRows } from '../../../components/first-rows.tsx'
import { FormError } from '../../../components/form-error.tsx'
import { Section } from '../../../components/page/section.tsx'
import { ErrorState, Loading } from '../../../components/page/states.tsx'
import { formatCount, formatMoney } from '../../../format/format.ts'
import classes from '../spending.module.css'
import { FormDetails } from '../form-details.tsx'
import { BudgetForm } from './budget-form.tsx'
import { budgetsQuery, useRemoveBudget } from './budgets-api.ts'

const rowsShownAtFirst = 3

/** Budgets with this month's usage, and a form for new ones. */
export function BudgetsSection() {
  const { data, error, refetch } = useQuery(budgetsQuery)
  return (
    <Section
      title="Budgets"
      description="An amount per calendar month (UTC) for an account. A budget only raises alerts and never blocks requests. To block them, set limits for the account or its keys."
    >
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading rows={2} />}
      {data?.data.length === 0 && (
        <Text size="sm" c="dimmed">
          No budgets yet.
        </Text>
      )}
      {data !== undefined && data.data.length > 0 && (
        <FirstRows rows={data.data} atFirst={rowsShownAtFirst} what="budgets">
          {(budgets) => (
            <ul className={classes['list']}>
              {budgets.map((budget) => (
                <BudgetItem key={budget.account_id} budget={budget} />
              ))}
            </ul>
          )}
        </FirstRows>
      )}
      {data !== undefined && (
        <FormDetails summary="Set a budget" isOpen={data.data.length === 0}>
          <BudgetForm currency={data.currency} />
        </FormDetails>
      )}
    </Section>
  )
}

function BudgetItem({ budget }: { budget: PanelBudget }) {
  const { account_id: id, account_name: name, used_percent: percent, thresholds } = budget
  const remove = useRemoveBudget(id)
  return (
    <li>
      <Group justify="space-between" gap="sm">
        <div className={classes['budget']}>
          <bdi className={classes['name']}>{name}</bdi>
          <span className="numeric">
            {amountText(budget, budget.used)} of {amountText(budget, budget.amount)} this month (
            {formatCount(percent)}%)
          </span>
          <span className={classes['track']} aria-hidden="true">
            <span
              className={classes[percent >= (thresholds.at(-1) ?? 100) ? 'reached' : 'filled']}
              style={{ inlineSize: `${Math.min(100, percent)}%` }}
            />
          </span>
          <Text size="sm" c="dimmed">
            Alerts at {thresholds.map((threshold) => `${threshold}%`).join(', ')}
          </Text>
        </div>
        <ConfirmButton
          label="Remove"
          fullLabel={`Remove the budget of ${name}`}
          confirmLabel="Remove budget"
          isPending={remove.isPending}
          onConfirm={() => remove.mutate(undefined)}
        />
      </Group>
      <FormError error={remove.error} />
    </li>
  )
}

function amountText({ currency }: PanelBudget, amount: string): string {
  return currency === null ? `${formatCount(Number(amount))} tokens` : formatMoney(amount, currency)
}
