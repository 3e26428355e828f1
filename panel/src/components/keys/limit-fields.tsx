import { Fieldset, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { keyLimits, type LimitWireName } from '../../../../src/key-limits.ts'
import { faultOf } from '../form-error.tsx'
import classes from './limit-fields.module.css'
import type { LimitFaults, LimitTexts } from '../../limit-texts.ts'

type LimitFieldsProps = {
  texts: LimitTexts
  onChange: (texts: LimitTexts) => void
  /** Errors found in the form. */
  faults: LimitFaults
  /** The service's error, which may name a field. */
  error: Error | null
  /** Collapses the fields until they are clicked, unless a limit is set. */
  isCollapsed?: boolean
}

/** Field names as they appear in the service's errors. */
export const limitFields = keyLimits.map(({ wireName }) => fieldOf(wireName))

/** Fields for the limits of a key or of an account. */
export function LimitFields({ isCollapsed = false, ...fields }: LimitFieldsProps) {
  const [hasLimits] = useState(() => Object.values(fields.texts).some((text) => text !== ''))
  if (!isCollapsed)
    return (
      <Fieldset legend="Limits">
        <Fields {...fields} />
      </Fieldset>
    )
  return (
    <details open={hasLimits}>
      <summary className={classes['summary']}>Limits</summary>
      <Fieldset aria-label="Limits">
        <Fields {...fields} />
      </Fieldset>
    </details>
  )
}

function Fields({ texts, onChange, faults, error }: Omit<LimitFieldsProps, 'isCollapsed'>) {
  return (
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
  )
}

function fieldOf(name: LimitWireName): string {
  return `limits.${name}`
}
