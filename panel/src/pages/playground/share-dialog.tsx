import { Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import type { Settings } from '../../playground/settings.ts'
import { toFragment } from '../../playground/share-link.ts'

type ShareDialogProps = { columns: readonly Settings[]; onClose: () => void }

/** A link to the playground with these settings. */
export function ShareDialog({ columns, onClose }: ShareDialogProps) {
  const field = useRef<HTMLInputElement>(null)
  const fragment = toFragment(columns)
  const url = `${location.origin}/playground${fragment === '' ? '' : `#${fragment ?? ''}`}`
  return (
    <Modal opened onClose={onClose} title="Share these settings">
      {fragment === undefined ? (
        <Text size="sm">
          The settings are too long for a link. Shorten the schema or the logit bias.
        </Text>
      ) : (
        <Stack gap="sm">
          <TextInput
            ref={field}
            label="Link"
            description="It holds the settings only: no message, no system prompt, no key."
            readOnly
            value={url}
            onFocus={(event) => event.currentTarget.select()}
          />
          <Group>
            <CopyButton text={url} label="Copy the link" onRefused={() => field.current?.focus()} />
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
