import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { PanelAccount } from '../../../../src/protocol/panel-accounts.ts'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { faultOf, FormError } from '../../components/form-error.tsx'
import { limitFields, LimitFields } from '../../components/limit-fields.tsx'
import { type LimitFaults, parseLimitTexts, toLimitTexts } from '../../limit-texts.ts'
import { meQuery } from '../../session.ts'
import { useChangeAccount } from './accounts-api.ts'

/** What is typed stays until it is saved or the dialog is closed, whatever the service says. */
export function AccountDialog({
  account,
  onClose,
}: {
  account: PanelAccount
  onClose: () => void
}) {
  const { data: me } = useSuspenseQuery(meQuery)
  const own = me.account.id === account.id
  const change = useChangeAccount(account)
  const [name, setName] = useState(account.name)
  const [role, setRole] = useState(account.role)
  const [texts, setTexts] = useState(() => toLimitTexts(account.limits))
  const [faults, setFaults] = useState<LimitFaults>({})
  const save = (event: FormEvent) => {
    event.preventDefault()
    const parsed = parseLimitTexts(texts)
    if ('faults' in parsed) {
      setFaults(parsed.faults)
      return
    }
    setFaults({})
    const changes = {
      ...(name === account.name ? {} : { name }),
      ...(role === null || role === account.role ? {} : { role }),
      limits: parsed.limits,
    }
    change.mutate(changes, { onSuccess: onClose })
  }
  return (
    <Dialog title="Edit the account" onClose={onClose}>
      <form onSubmit={save} noValidate>
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
            <NativeSelect
              label="Role"
              description={
                own ? 'Another admin can change your own.' : 'Admins see and change all accounts.'
              }
              disabled={own}
              data={[
                { value: 'member', label: 'Member' },
                { value: 'admin', label: 'Admin' },
              ]}
              value={role}
              onChange={(event) =>
                setRole(event.currentTarget.value === 'admin' ? 'admin' : 'member')
              }
            />
          )}
          <LimitFields texts={texts} onChange={setTexts} faults={faults} error={change.error} />
          <FormError error={change.error} fields={['name', ...limitFields]} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={change.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
