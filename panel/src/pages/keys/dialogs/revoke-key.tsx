import { Button, Stack, Text } from '@mantine/core'
import type { PanelKey } from '../../../../../src/protocol/panel-keys.ts'
import { FormError } from '../../../components/form-error.tsx'
import { DialogActions } from '../../../components/dialog/dialog.tsx'
import { Time } from '../../../components/time.tsx'
import { useRevokeKey } from '../keys-api.ts'
import type { DialogContentProps } from './dialog-content-props.ts'

export function RevokeKey({ record, onClose }: DialogContentProps & { record: PanelKey }) {
  const revoke = useRevokeKey(record.id)
  const { name, last_used_ms: lastUsedMs } = record
  return (
    <Stack gap="md">
      <Text size="sm">
        Apps using{' '}
        <b>
          <bdi>{name}</bdi>
        </b>{' '}
        will stop working within a second. Replies in progress are cut off. This cannot be undone.
      </Text>
      <Text size="sm" c="dimmed">
        {lastUsedMs === null ? (
          'Never used.'
        ) : (
          <>
            Last used <Time ms={lastUsedMs} show="relative" />.
          </>
        )}
      </Text>
      <FormError error={revoke.error} />
      <DialogActions>
        <Button variant="default" data-autofocus autoFocus onClick={onClose}>
          Cancel
        </Button>
        <Button
          color="red"
          loading={revoke.isPending}
          onClick={() => revoke.mutate(undefined, { onSuccess: onClose })}
        >
          Revoke key
        </Button>
      </DialogActions>
    </Stack>
  )
}
