import { Fieldset, Stack, TextInput } from '@mantine/core'
import { keyLimits, type LimitWireName } from '../../../src/key-limits.ts'
import { faultOf } from './form-error.tsx'
import type { LimitFaults, LimitTexts } from '../limit-texts.ts'

type LimitFieldsProps = {
  texts: LimitTexts
  onChange: (texts: LimitTexts) => void
  /** Errors found in the form. */
  faults: LimitFaults
  /** The error of the service, which may name a field. */
  error: Error | null
}

/** Names of the fields in errors of the service. */
export const limitFields = keyLimits.map(({ wireName }) => fieldOf(wireName))

/** Fields for the limits of a key or of an account. */
export function LimitFields({ texts, onChange, faults, error }: LimitFieldsProps) {
  return (
    <Fieldset legend="Limits">
      <Stack gap="sm">
        {keyLimits.map(({ wireName, label }) => (
          <TextInput
            key={wireName}
            label={label}
            placeholder="No limit"
            inputMode="numeric"
            autoComplete="off"
            value={texts[wireName]}
            error={faults[wireName] ?? faultOf(error, fieldOf(wireName))}
            onChange={(event) => onChange({ ...texts, [wireName]: event.currentTarget.value })}
          />
        ))}
      </Stack>
    </Fieldset>
  )
}

function fieldOf(name: LimitWireName): string {
  return `limits.${name}`
}
