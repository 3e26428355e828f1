import { Button, Group, NativeSelect, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useRef } from 'react'
import type { PanelAlerts } from '../../../../../src/protocol/panel/alerts.ts'
import { ConfirmButton } from '../../../components/dialog/confirm-button.tsx'
import { faultOf, FormError } from '../../../components/form-error.tsx'
import { submitTo, textOf, useFocusOnError, useRemovals } from '../../../form.ts'
import classes from '../spending.module.css'
import { useSetMail } from './alerts-api.ts'

/** Only the service checks the form. */
const noFaults = {}
const fields = ['host', 'port', 'encryption', 'user', 'password', 'from', 'to']
/** Names under which the service's errors name the fields. */
const params = fields.flatMap((field) => [field, `mail.${field}`])

/** Sets the mail server and the recipients. The service never shows the password again. */
export function MailForm({ mail }: { mail: PanelAlerts['mail'] }) {
  const set = useSetMail()
  const form = useRef<HTMLFormElement>(null)
  useFocusOnError(form, noFaults, set.error)
  const removals = useRemovals(mail !== null)
  const save = (typed: FormData) => {
    const password = textOf(typed, 'password')
    set.mutate({
      mail: {
        host: textOf(typed, 'host').trim(),
        // The service says what a port is; it reads 0 as a wrong one.
        port: Math.trunc(Number(textOf(typed, 'port'))) || 0,
        encryption: encryptionOf(textOf(typed, 'encryption')),
        user: textOf(typed, 'user').trim(),
        from: textOf(typed, 'from').trim(),
        to: textOf(typed, 'to')
          .split(/[\s,;]+/)
          .filter((address) => address !== ''),
        ...(password !== '' && { password }),
      },
    })
  }
  const error = (field: string) => faultOf(set.error, field) ?? faultOf(set.error, `mail.${field}`)
  return (
    <form ref={form} onSubmit={submitTo(save)} noValidate>
      <Stack gap="md">
        <ServerFields key={`server ${removals}`} mail={mail} error={error} />
        <TextInput
          key={`to ${removals}`}
          label="To"
          description="Up to ten addresses, separated by commas"
          name="to"
          autoComplete="off"
          defaultValue={mail?.to.join(', ') ?? ''}
          error={error('to')}
        />
        <FormError error={set.error} fields={params} />
        <Group gap="sm">
          <Button type="submit" variant="default" loading={set.isPending}>
            Save mail server
          </Button>
          {mail !== null && (
            <ConfirmButton
              label="Remove"
              fullLabel="Remove the mail server"
              confirmLabel="Remove mail server"
              isPending={set.isPending}
              onConfirm={() => set.mutate({ mail: null })}
            />
          )}
          <span role="status">
            {set.isSuccess && (set.variables.mail === null ? 'Removed.' : 'Saved.')}
          </span>
        </Group>
      </Stack>
    </form>
  )
}

type ServerFieldsProps = {
  mail: PanelAlerts['mail']
  error: (field: string) => string | undefined
}

function ServerFields({ mail, error }: ServerFieldsProps) {
  return (
    <div className={classes['fields']}>
      <TextInput
        label="Server"
        name="host"
        autoComplete="off"
        placeholder="smtp.example.com"
        defaultValue={mail?.host ?? ''}
        error={error('host')}
      />
      <TextInput
        label="Port"
        name="port"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={mail?.port ?? 587}
        error={error('port')}
      />
      <NativeSelect
        label="Encryption"
        name="encryption"
        data={encryptions}
        defaultValue={mail?.encryption ?? 'starttls'}
        error={error('encryption')}
      />
      <TextInput
        label="From"
        type="email"
        name="from"
        autoComplete="off"
        defaultValue={mail?.from ?? ''}
        error={error('from')}
      />
      <TextInput
        label="User"
        description="Leave blank if the server needs no login"
        name="user"
        autoComplete="off"
        defaultValue={mail?.user ?? ''}
        error={error('user')}
      />
      <PasswordInput
        label="Password"
        description={
          mail?.has_password === true ? 'Leave blank to keep the current one' : 'Of this user'
        }
        name="password"
        autoComplete="new-password"
        error={error('password')}
      />
    </div>
  )
}

const encryptions = [
  { value: 'starttls', label: 'STARTTLS' },
  { value: 'tls', label: 'TLS' },
  { value: 'none', label: 'None' },
]

function encryptionOf(text: string): 'tls' | 'starttls' | 'none' {
  return text === 'tls' || text === 'none' ? text : 'starttls'
}
