import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { faultOf, FormError } from '../../../components/form-error.tsx'
import { submitTo, textOf, useFocusOnError } from '../../../form.ts'
import classes from '../spending.module.css'
import { toAmount } from './amount.ts'
import { budgetAccountsQuery, useSetBudget } from './budgets-api.ts'

/** Only the service checks the form. */
const noFaults = {}
const fields = ['account_id', 'kind', 'amount', 'thresholds']

/** Sets the budget of an account, or replaces it. */
export function BudgetForm({ currency }: { currency: string | null }) {
  const set = useSetBudget()
  const form = useRef<HTMLFormElement>(null)
  const [kind, setKind] = useState<'tokens' | 'money'>('tokens')
  useFocusOnError(form, noFaults, set.error)
  const save = (typed: FormData) =>
    set.mutate({
      account_id: textOf(typed, 'account').trim(),
      kind,
      amount: toAmount(kind, textOf(typed, 'amount')),
      thresholds: textOf(typed, 'thresholds')
        .split(/[\s,%]+/)
        .filter((text) => text !== '')
        // A text that is not a whole percentage becomes 0, which the service refuses.
        .map((text) => (/^\d{1,6}$/.test(text) ? Number(text) : 0)),
    })
  return (
    <form ref={form} onSubmit={submitTo(save)} noValidate>
      <Stack gap="md">
        <div className={classes['fields']}>
          <AccountField error={faultOf(set.error, 'account_id')} />
          <NativeSelect
            label="Unit"
            description={
              currency === null ? 'Set prices to use money' : 'Cost is computed from the prices'
            }
            data={[
              { value: 'tokens', label: 'Tokens' },
              { value: 'money', label: currency ?? 'Money', disabled: currency === null },
            ]}
            value={kind}
            error={faultOf(set.error, 'kind')}
            onChange={(event) =>
              setKind(event.currentTarget.value === 'money' ? 'money' : 'tokens')
            }
          />
          <TextInput
            label="Budget per month"
            description={kind === 'tokens' ? 'Prompt and completion tokens' : 'Such as 25.00'}
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            error={faultOf(set.error, 'amount')}
          />
          <TextInput
            label="Alert at"
            description="Percentages of the budget"
            name="thresholds"
            autoComplete="off"
            defaultValue="50, 80, 100"
            error={faultOf(set.error, 'thresholds')}
          />
        </div>
        <FormError error={set.error} fields={fields} />
        <Group gap="sm">
          <Button type="submit" variant="default" loading={set.isPending}>
            Save budget
          </Button>
          <span role="status">{set.isSuccess && 'Saved.'}</span>
        </Group>
      </Stack>
    </form>
  )
}

function AccountField({ error }: { error: string | undefined }) {
  const accounts = useQuery(budgetAccountsQuery)
  const { data } = accounts
  if (data?.has_more === true)
    return (
      <TextInput
        label="Account"
        description="The account ID, such as acct_…"
        name="account"
        autoComplete="off"
        error={error}
      />
    )
  return (
    <NativeSelect
      label="Account"
      description="A new budget replaces the old one"
      name="account"
      data={(data?.data ?? []).map(({ id, name, email }) => ({
        value: id,
        label: email === null ? name : `${name} (${email})`,
      }))}
      error={error ?? (data === undefined ? accounts.error?.message : undefined)}
    />
  )
}
