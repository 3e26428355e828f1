import { Button, Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { type Scope, scopes as allScopes } from '../../../../../src/accounts/scopes.ts'
import type { PanelKey } from '../../../../../src/protocol/panel-keys.ts'
import type { Limits } from '../../../../../src/protocol/panel-limits.ts'
import { faultOf, FormError } from '../../../components/form-error.tsx'
import { DialogActions } from '../../../components/dialog/dialog.tsx'
import { limitFields, LimitFields } from '../../../components/keys/limit-fields.tsx'
import { useFocusOnError } from '../../../form.ts'
import { parseLimitTexts, toLimitTexts, type LimitFaults } from '../../../limit-texts.ts'
import { expiryChoices, parseExpiry, toExpiry, type Expiry } from './expiry.ts'

export type KeyValues = {
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

type Faults = LimitFaults & { name?: string; expiry?: string; scopes?: string }

const scopeTexts: Readonly<Record<Scope, string>> = {
  chat: 'Create chat completions',
  read: 'Read request receipts',
}

/** The form for a key's name, scopes, expiry and limits. Shows errors at their fields and keeps what was typed. */
export function KeyForm({ record, error, onSubmit, ...actions }: KeyFormProps) {
  const [name, setName] = useState(record.name)
  const [scopes, setScopes] = useState([...record.scopes])
  const [expiry, setExpiry] = useState<Expiry | undefined>()
  const [limitTexts, setLimitTexts] = useState(toLimitTexts(record.limits))
  const [faults, setFaults] = useState<Faults>({})
  const form = useRef<HTMLFormElement>(null)
  useFocusOnError(form, faults, error)
  const shownExpiry = expiry ?? toExpiry(record.expires_ms)
  const submit = () => {
    const limits = parseLimitTexts(limitTexts)
    const expiresMs = expiry === undefined ? undefined : parseExpiry(expiry, Date.now())
    const found: Faults = {
      ...(name.trim() === '' && { name: 'Enter a name.' }),
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
      ref={form}
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
          error={faults.name ?? faultOf(error, 'name')}
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
        <LimitFields
          texts={limitTexts}
          onChange={setLimitTexts}
          faults={faults}
          error={error}
          isCollapsed
        />
        <FormError error={error} fields={fields} />
        <FormActions {...actions} />
      </Stack>
    </form>
  )
}

type FormActionsProps = Pick<KeyFormProps, 'submitLabel' | 'isPending' | 'onCancel'>

function FormActions({ submitLabel, isPending, onCancel }: FormActionsProps) {
  return (
    <DialogActions>
      <Button variant="default" disabled={isPending} onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={isPending}>
        {submitLabel}
      </Button>
    </DialogActions>
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
        {allScopes.map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            label={scope}
            description={scopeTexts[scope]}
            error={error !== undefined}
          />
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
