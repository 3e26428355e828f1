import { Group, Stack, Text, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog/dialog.tsx'
import type { Settings } from '../../playground/settings.ts'
import { toFragment } from '../../playground/share-link.ts'

type ShareDialogProps = { columns: readonly Settings[]; onClose: () => void }

/** Shows a link to the playground with these settings. */
export function ShareDialog({ columns, onClose }: ShareDialogProps) {
  const field = useRef<HTMLInputElement>(null)
  const fragment = toFragment(columns)
  const url = `${location.origin}/playground${fragment === '' ? '' : `#${fragment ?? ''}`}`
  return (
    <Dialog onClose={onClose} title="Share settings">
      {fragment === undefined ? (
        <Text size="sm">
          These settings are too long for a link. Shorten the schema or the logit bias.
        </Text>
      ) : (
        <Stack gap="sm">
          <TextInput
            ref={field}
            label="Link"
            description="Contains settings only: no messages, system prompt or key."
            readOnly
            value={url}
            onFocus={(event) => event.currentTarget.select()}
          />
          <Group>
            <CopyButton text={url} label="Copy link" onRefused={() => field.current?.focus()} />
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}
