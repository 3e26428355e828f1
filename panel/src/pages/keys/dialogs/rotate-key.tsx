import { Button, NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { PanelKey } from '../../../../../src/protocol/panel-keys.ts'
import { FormError } from '../../../components/form-error.tsx'
import { DialogActions } from '../../../components/dialog/dialog.tsx'
import { IssuedKey } from './issued-key.tsx'
import { useRotateKey } from '../keys-api.ts'
import type { DialogContentProps } from './dialog-content-props.ts'
import { dayMs, hourMs } from '../../../../../src/time/durations.ts'

const graceChoices = [
  { value: '0', label: 'Expire immediately' },
  { value: String(hourMs), label: 'Expire in 1 hour' },
  { value: String(dayMs), label: 'Expire in 1 day' },
  { value: String(7 * dayMs), label: 'Expire in 7 days' },
  { value: String(30 * dayMs), label: 'Expire in 30 days' },
]

export function RotateKey({
  record,
  onClose,
  onIssued,
}: DialogContentProps & { record: PanelKey }) {
  const [grace, setGrace] = useState(String(dayMs))
  const rotate = useRotateKey(record.id)
  if (rotate.isSuccess) return <IssuedKey issued={rotate.data} onClose={onClose} />
  return (
    <Stack gap="md">
      <Text size="sm">
        Create a new secret for <bdi>{record.name}</bdi>. Its name, limits and usage stay the same.
        The old secret can keep working while you update your apps.
      </Text>
      <NativeSelect
        label="Old secret"
        data={graceChoices}
        value={grace}
        data-autofocus
        autoFocus
        onChange={({ currentTarget }) => setGrace(currentTarget.value)}
      />
      <FormError error={rotate.error} />
      <DialogActions>
        <Button variant="default" disabled={rotate.isPending} onClick={onClose}>
          Cancel
        </Button>
        <Button
          loading={rotate.isPending}
          onClick={() => rotate.mutate(Number(grace), { onSuccess: onIssued })}
        >
          Rotate key
        </Button>
      </DialogActions>
    </Stack>
  )
}
