import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useRef } from 'react'
import type { PanelPrice } from '../../../../../src/protocol/panel/prices.ts'
import { faultOf, FormError } from '../../../components/form-error.tsx'
import { submitTo, textOf, useFocusOnError } from '../../../form.ts'
import classes from '../spending.module.css'
import { useSetPrice } from './prices-api.ts'

/** Only the service checks the form. */
const noFaults = {}
const fields = ['from', 'currency', 'prompt', 'cached', 'completion']

/** Sets the prices that apply from a given day. Prefilled with the latest prices. */
export function PriceForm({ latest }: { latest: PanelPrice | undefined }) {
  const set = useSetPrice()
  const form = useRef<HTMLFormElement>(null)
  useFocusOnError(form, noFaults, set.error)
  const save = (typed: FormData) => {
    const cached = textOf(typed, 'cached').trim()
    set.mutate({
      from: textOf(typed, 'from'),
      currency: textOf(typed, 'currency').trim().toUpperCase(),
      prompt: textOf(typed, 'prompt'),
      completion: textOf(typed, 'completion'),
      ...(cached !== '' && { cached }),
    })
  }
  const amount = (name: 'prompt' | 'cached' | 'completion', label: string, description: string) => (
    <TextInput
      {...{ label, description, name }}
      inputMode="decimal"
      autoComplete="off"
      defaultValue={latest?.[name] ?? ''}
      error={faultOf(set.error, name)}
    />
  )
  return (
    <form ref={form} onSubmit={submitTo(save)} noValidate>
      <Stack gap="md">
        <div className={classes['fields']}>
          <TextInput
            type="date"
            label="From"
            description="The first UTC day"
            name="from"
            defaultValue={new Date().toISOString().slice(0, 10)}
            error={faultOf(set.error, 'from')}
          />
          <TextInput
            label="Currency"
            description="Three letters, such as EUR"
            name="currency"
            autoComplete="off"
            maxLength={3}
            defaultValue={latest?.currency ?? ''}
            error={faultOf(set.error, 'currency')}
          />
          {amount('prompt', 'Prompt price', 'For a million tokens, such as 0.15')}
          {amount('cached', 'Cached prompt price', 'Leave blank to use the prompt price')}
          {amount('completion', 'Completion price', 'For a million tokens, such as 0.60')}
        </div>
        <FormError error={set.error} fields={fields} />
        <Group gap="sm">
          <Button type="submit" variant="default" loading={set.isPending}>
            Save prices
          </Button>
          <span role="status">{set.isSuccess && 'Saved.'}</span>
        </Group>
      </Stack>
    </form>
  )
}
