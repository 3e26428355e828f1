import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { IssuedPanelKey } from '../../../../../src/protocol/panel-keys.ts'
import { CodeSnippets } from '../../../components/code-snippets.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Time } from '../../../components/time.tsx'
import classes from './issued-key.module.css'

const example = {
  model: 'svc-o1-mini',
  messages: [{ role: 'user', content: 'What is a pipit?' }],
}

/** The only time that the key is shown. */
export function IssuedKey({ issued, onClose }: { issued: IssuedPanelKey; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  const queryClient = useQueryClient()
  const { key, record } = issued
  const graceEndsMs = record.previous_expires_ms
  return (
    <Stack gap="md">
      <Alert title="Copy it now">
        The service stores no more than a hash of it, so nobody can show it to you again.
      </Alert>
      <div>
        <TextInput
          ref={field}
          label={
            <>
              Key of <bdi>{record.name}</bdi>
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
            label="Copy the key"
            onRefused={() => {
              field.current?.focus()
              field.current?.select()
            }}
          />
        </Group>
      </div>
      {graceEndsMs !== null && graceEndsMs > Date.now() && (
        <Text size="sm">
          The old one works until <Time ms={graceEndsMs} />.
        </Text>
      )}
      {record.scopes.includes('chat') && (
        <div>
          <Text size="sm" fw={500} mb="xs">
            Try it: this works as it stands
          </Text>
          <CodeSnippets request={{ origin: window.location.origin, body: example, apiKey: key }} />
        </div>
      )}
      <Group justify="flex-end">
        <Button
          onClick={() => {
            onClose()
            // It may have been tried meanwhile.
            void queryClient.invalidateQueries({ queryKey: ['keys', 'list'] })
          }}
        >
          I have stored it
        </Button>
      </Group>
    </Stack>
  )
}
