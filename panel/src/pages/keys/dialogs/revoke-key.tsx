import { Button, Group, Stack, Text } from '@mantine/core'
import type { PanelKey } from '../../../../../src/protocol/panel-keys.ts'
import { FormError } from '../../../components/form-error.tsx'
import { Time } from '../../../components/time.tsx'
import { useRevokeKey } from '../keys-api.ts'
import type { DialogContentProps } from './opened-key-dialog.tsx'

export function RevokeKey({ record, onClose }: DialogContentProps & { record: PanelKey }) {
  const revoke = useRevokeKey(record.id)
  const { name, last_used_ms: lastUsedMs } = record
  return (
    <Stack gap="md">
      <Text size="sm">
        Whatever uses <bdi>{name}</bdi> is refused within a second, and replies that it is reading
        are cut off. This cannot be undone.
      </Text>
      <Text size="sm" c="dimmed">
        {lastUsedMs === null ? (
          'It has never been used.'
        ) : (
          <>
            It was last used <Time ms={lastUsedMs} show="relative" />.
          </>
        )}
      </Text>
      <FormError error={revoke.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" data-autofocus autoFocus onClick={onClose}>
          Keep it
        </Button>
        <Button
          color="red"
          loading={revoke.isPending}
          onClick={() => revoke.mutate(undefined, { onSuccess: onClose })}
        >
          Revoke key
        </Button>
      </Group>
    </Stack>
  )
}
