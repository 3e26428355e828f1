import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { modelId } from '../../../../../src/protocol/chat/model-id.ts'
import type { IssuedPanelKey } from '../../../../../src/protocol/panel-keys.ts'
import { CodeSnippets } from '../../../components/code-snippets.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { DialogActions } from '../../../components/dialog/dialog.tsx'
import { holdKey } from '../../../reference/held-key.ts'
import { Time } from '../../../components/time.tsx'
import { useMark } from '../../../first-steps/use-mark.ts'
import { samples } from '../../../samples.ts'
import classes from './issued-key.module.css'

const example = {
  model: modelId,
  messages: [{ role: 'user', content: samples.newKey }],
}

/** Shows a new key, which cannot be shown again. */
export function IssuedKey({ issued, onClose }: { issued: IssuedPanelKey; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  const queryClient = useQueryClient()
  const mark = useMark()
  const { key, record } = issued
  // Lets the API reference fill the key into its examples.
  useEffect(() => holdKey(queryClient, { name: record.name, key }), [queryClient, record.name, key])
  const graceEndsMs = record.previous_expires_ms
  return (
    <Stack gap="md">
      <Alert title="Copy this key now">
        You will not see it again. Pipit stores only a hash of it.
      </Alert>
      <div>
        <TextInput
          ref={field}
          label={
            <>
              Key for <bdi>{record.name}</bdi>
            </>
          }
          value={key}
          readOnly
          autoFocus
          onFocus={({ currentTarget }) => currentTarget.select()}
          classNames={{ input: classes['secret'] ?? '' }}
        />
        <Group gap="xs" mt="xs">
          <CopyButton
            text={key}
            label="Copy key"
            onRefused={() => {
              field.current?.focus()
              field.current?.select()
            }}
          />
        </Group>
      </div>
      {graceEndsMs !== null && graceEndsMs > Date.now() && (
        <Text size="sm">
          The old secret expires on <Time ms={graceEndsMs} />.
        </Text>
      )}
      {record.scopes.includes('chat') && (
        <div>
          <Text size="sm" fw={500} mb="xs">
            Try it. This code includes your key.
          </Text>
          <CodeSnippets request={{ origin: window.location.origin, body: example, apiKey: key }} />
        </div>
      )}
      <DialogActions>
        <Button
          onClick={() => {
            mark('copied')
            onClose()
            // The key may have been used since it was created.
            void queryClient.invalidateQueries({ queryKey: ['keys', 'list'] })
          }}
        >
          I’ve saved this key
        </Button>
      </DialogActions>
    </Stack>
  )
}
