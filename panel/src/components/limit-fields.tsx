import { Fieldset, Stack, TextInput } from '@mantine/core'
import { faultOf } from './form-error.tsx'
import { type LimitFaults, limitNames, type LimitName, type LimitTexts } from '../limit-texts.ts'

const labels: Readonly<Record<LimitName, string>> = {
  requests_per_minute: 'Requests per minute',
  tokens_per_minute: 'Tokens per minute',
  parallel_requests: 'Requests at the same time',
  tokens_per_day: 'Tokens per day',
  tokens_per_month: 'Tokens per month',
}

type LimitFieldsProps = {
  texts: LimitTexts
  onChange: (texts: LimitTexts) => void
  /** What is wrong with them here, and what the service says of them. */
  faults: LimitFaults
  error: Error | null
}

/** The names by which the service means them. */
export const limitFields = limitNames.map(fieldOf)

/** The limits of a key or of an account, as texts until they are sent. */
export function LimitFields({ texts, onChange, faults, error }: LimitFieldsProps) {
  return (
    <Fieldset legend="Limits">
      <Stack gap="sm">
        {limitNames.map((name) => (
          <TextInput
            key={name}
            label={labels[name]}
            placeholder="No limit"
            inputMode="numeric"
            autoComplete="off"
            value={texts[name]}
            error={faults[name] ?? faultOf(error, fieldOf(name))}
            onChange={(event) => onChange({ ...texts, [name]: event.currentTarget.value })}
          />
        ))}
      </Stack>
    </Fieldset>
  )
}

function fieldOf(name: LimitName): string {
  return `limits.${name}`
}
