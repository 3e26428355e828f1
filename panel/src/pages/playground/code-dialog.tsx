import { Stack, Text } from '@mantine/core'
import type { ChatCompletionRequest } from '../../../../src/protocol/chat/chat-request.ts'
import { CodeSnippets } from '../../components/code-snippets.tsx'
import { Dialog } from '../../components/dialog/dialog.tsx'

type CodeDialogProps = { body: ChatCompletionRequest; onClose: () => void }

/** Shows code for the request that the playground would send now. */
export function CodeDialog({ body, onClose }: CodeDialogProps) {
  return (
    <Dialog onClose={onClose} title="View code" size="xl">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          This code reads your API key from the environment variable PIPIT_API_KEY.
        </Text>
        <CodeSnippets request={{ origin: location.origin, body: { ...body, stream: true } }} />
      </Stack>
    </Dialog>
  )
}
