import { Button, Stack, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import type { PanelAccount } from '../../../../../src/protocol/panel-accounts.ts'
import { Dialog, DialogActions } from '../../../components/dialog/dialog.tsx'
import { faultOf, FormError } from '../../../components/form-error.tsx'
import { limitFields, LimitFields } from '../../../components/keys/limit-fields.tsx'
import { useFocusOnError } from '../../../form.ts'
import {
  changedLimits,
  type LimitFaults,
  parseLimitTexts,
  toLimitTexts,
} from '../../../limit-texts.ts'
import { meQuery } from '../../../session.ts'
import { useChangeAccount } from '../accounts-api.ts'
import { RoleSelect } from './role-select.tsx'

/**
 * Edits an account's name, role and limits. Keeps the typed values if the service refuses them. Sends only what the user
 * changed: another admin or the CLI may have changed the rest since the list was loaded.
 */
export function AccountDialog({
  account: listed,
  onClose,
}: {
  account: PanelAccount
  onClose: () => void
}) {
  const { data: me } = useSuspenseQuery(meQuery)
  // The list is refetched while the dialog is open; the form keeps the values that it starts with.
  const [account] = useState(listed)
  const own = me.account.id === account.id
  const change = useChangeAccount(account)
  const [name, setName] = useState(account.name)
  const [role, setRole] = useState(account.role)
  const [texts, setTexts] = useState(() => toLimitTexts(account.limits))
  const [faults, setFaults] = useState<LimitFaults>({})
  const form = useRef<HTMLFormElement>(null)
  useFocusOnError(form, faults, change.error)
  const save = (event: FormEvent) => {
    event.preventDefault()
    const parsed = parseLimitTexts(texts)
    if ('faults' in parsed) {
      setFaults(parsed.faults)
      return
    }
    setFaults({})
    const limits = changedLimits(account.limits, parsed.limits)
    const changes = {
      ...(name === account.name ? {} : { name }),
      ...(role === null || role === account.role ? {} : { role }),
      ...(limits !== undefined && { limits }),
    }
    if (Object.keys(changes).length === 0) onClose()
    else change.mutate(changes, { onSuccess: onClose })
  }
  return (
    <Dialog title="Edit account" onClose={onClose}>
      <form ref={form} onSubmit={save} noValidate>
        <Stack gap="md">
          <TextInput
            label="Name"
            autoComplete="off"
            value={name}
            error={faultOf(change.error, 'name')}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          {role !== null && (
            <RoleSelect
              value={role}
              onChange={setRole}
              disabled={own}
              {...(own && { description: 'Only another admin can change your role.' })}
            />
          )}
          <LimitFields texts={texts} onChange={setTexts} faults={faults} error={change.error} />
          <FormError error={change.error} fields={['name', ...limitFields]} />
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={change.isPending}>
              Save
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}
