import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { PanelKey } from '../../../../../src/protocol/panel-keys.ts'
import { FormError } from '../../../components/form-error.tsx'
import { IssuedKey } from './issued-key.tsx'
import { useRotateKey } from '../keys-api.ts'
import type { DialogContentProps } from './opened-key-dialog.tsx'

const hourMs = 3_600_000
const graceChoices = [
  { value: '0', label: 'Not at all: it ends now' },
  { value: String(hourMs), label: 'For an hour' },
  { value: String(24 * hourMs), label: 'For a day' },
  { value: String(7 * 24 * hourMs), label: 'For a week' },
  { value: String(30 * 24 * hourMs), label: 'For 30 days' },
]

export function RotateKey({
  record,
  onClose,
  onIssued,
}: DialogContentProps & { record: PanelKey }) {
  const [grace, setGrace] = useState(String(24 * hourMs))
  const rotate = useRotateKey(record.id)
  if (rotate.isSuccess) return <IssuedKey issued={rotate.data} onClose={onClose} />
  return (
    <Stack gap="md">
      <Text size="sm">
        <bdi>{record.name}</bdi> gets a new secret. Its name, its limits and its use stay. The old
        secret goes on working while you put the new one into place.
      </Text>
      <NativeSelect
        label="The old secret goes on working"
        data={graceChoices}
        value={grace}
        data-autofocus
        autoFocus
        onChange={({ currentTarget }) => setGrace(currentTarget.value)}
      />
      <FormError error={rotate.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          loading={rotate.isPending}
          onClick={() => rotate.mutate(Number(grace), { onSuccess: onIssued })}
        >
          Rotate key
        </Button>
      </Group>
    </Stack>
  )
}
