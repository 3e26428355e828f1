import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { PanelKey } from '../../../../../src/protocol/panel-keys.ts'
import type { Limits } from '../../../../../src/protocol/panel-limits.ts'
import { faultOf, FormError } from '../../../components/form-error.tsx'
import { limitFields, LimitFields } from '../../../components/limit-fields.tsx'
import { parseLimitTexts, toLimitTexts, type LimitFaults } from '../../../limit-texts.ts'
import { expiryChoices, parseExpiry, toExpiry, type Expiry } from './expiry.ts'

type KeyValues = {
  name: string
  scopes: string[]
  /** The new expiry; undefined when it was not changed. */
  expires_ms: number | null | undefined
  limits: Limits
}
type KeyFormProps = {
  /** The initial values. */
  record: Pick<PanelKey, 'name' | 'scopes' | 'expires_ms' | 'limits'>
  submitLabel: string
  isPending: boolean
  error: Error | null
  onSubmit: (values: KeyValues) => void
  onCancel: () => void
}

const scopeChoices = [
  { value: 'chat', label: 'chat', description: 'Create chat completions' },
  { value: 'read', label: 'read', description: 'Read request receipts' },
]

/** The form for a key's name, scopes, expiry and limits. Shows errors at their fields and keeps what was typed. */
export function KeyForm({
  record,
  submitLabel,
  isPending,
  error,
  onSubmit,
  onCancel,
}: KeyFormProps) {
  const [name, setName] = useState(record.name)
  const [scopes, setScopes] = useState([...record.scopes])
  const [expiry, setExpiry] = useState<Expiry | undefined>()
  const [limitTexts, setLimitTexts] = useState(toLimitTexts(record.limits))
  const [faults, setFaults] = useState<LimitFaults & { expiry?: string; scopes?: string }>({})
  const shownExpiry = expiry ?? toExpiry(record.expires_ms)
  const submit = () => {
    const limits = parseLimitTexts(limitTexts)
    const expiresMs = expiry === undefined ? undefined : parseExpiry(expiry, Date.now())
    const found = {
      ...('faults' in limits && limits.faults),
      ...(scopes.length === 0 && { scopes: 'Select at least one scope.' }),
      ...(expiry !== undefined && expiresMs === undefined && { expiry: 'Enter a date and time.' }),
    }
    setFaults(found)
    if ('limits' in limits && Object.keys(found).length === 0)
      onSubmit({ name, scopes, expires_ms: expiresMs, limits: limits.limits })
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack gap="md">
        <TextInput
          label="Name"
          description="For example, the app that will use this key."
          dir="auto"
          autoComplete="off"
          data-autofocus
          autoFocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={faultOf(error, 'name')}
        />
        <ScopeFields
          scopes={scopes}
          onChange={setScopes}
          error={faults.scopes ?? faultOf(error, 'scopes')}
        />
        <ExpiryFields
          expiry={shownExpiry}
          onChange={setExpiry}
          error={faults.expiry ?? faultOf(error, 'expires_ms')}
        />
        <LimitFields texts={limitTexts} onChange={setLimitTexts} faults={faults} error={error} />
        <FormError error={error} fields={fields} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const fields = ['name', 'scopes', 'expires_ms', ...limitFields]

type ScopeFieldsProps = {
  scopes: string[]
  onChange: (scopes: string[]) => void
  error: string | undefined
}

function ScopeFields({ scopes, onChange, error }: ScopeFieldsProps) {
  return (
    <Checkbox.Group label="Scopes" value={scopes} onChange={onChange} error={error}>
      <Stack gap="xs" mt="xs">
        {scopeChoices.map((choice) => (
          <Checkbox key={choice.value} {...choice} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

type ExpiryFieldsProps = {
  expiry: Expiry
  onChange: (expiry: Expiry) => void
  error: string | undefined
}

function ExpiryFields({ expiry, onChange, error }: ExpiryFieldsProps) {
  return (
    <Stack gap="xs">
      <NativeSelect
        label="Expires"
        data={[...expiryChoices]}
        value={expiry.choice}
        error={expiry.choice === 'at' ? undefined : error}
        onChange={({ currentTarget: { value } }) => {
          const choice = expiryChoices.find((one) => one.value === value)?.value ?? 'never'
          onChange({ ...expiry, choice })
        }}
      />
      {expiry.choice === 'at' && (
        <TextInput
          label="Date and time"
          description="In your time zone."
          type="datetime-local"
          value={expiry.at}
          error={error}
          onChange={({ currentTarget }) => onChange({ ...expiry, at: currentTarget.value })}
        />
      )}
    </Stack>
  )
}
