import { Alert, List, Stack, Text } from '@mantine/core'
import { CodeSnippets } from '../../components/code-snippets.tsx'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { toRequest } from '../../playground/conversation.ts'
import { columnError, conversationError, nextMessages } from '../../playground/draft.ts'
import { defaultSettings, parseSettings } from '../../playground/settings.ts'
import type { Playground } from '../../playground/use-playground.ts'

type CodeDialogProps = { playground: Playground; column: number; onClose: () => void }

/** Shows code for the request that the playground would send now, or why it cannot be sent. */
export function CodeDialog({ playground: { draft, numbers }, column, onClose }: CodeDialogProps) {
  const next = { ...draft, messages: nextMessages(draft) }
  const fault = conversationError(next)
  const wrong = columnError(draft, column, numbers)
  const { parameters } = parseSettings(draft.columns[column] ?? defaultSettings, numbers)
  const request = toRequest(next, parameters)
  // The code prints a stream as one text, so several replies and calls of tools come whole.
  const isOneText = (request.n ?? 1) === 1 && request.tools === undefined
  const body = isOneText ? { ...request, stream: true } : request
  return (
    <Dialog onClose={onClose} title="View code" size="xl">
      {fault === undefined && wrong === undefined ? (
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            This code reads your API key from the environment variable PIPIT_API_KEY.
          </Text>
          <CodeSnippets request={{ origin: location.origin, body }} />
        </Stack>
      ) : (
        <Alert color="yellow" title="No code yet" role="alert">
          <Stack gap="xs">
            {fault !== undefined && <span>{fault}</span>}
            {wrong !== undefined && (
              <div>
                {wrong.task}
                <List size="sm">
                  {wrong.faults.map((text) => (
                    <List.Item key={text}>{text}</List.Item>
                  ))}
                </List>
              </div>
            )}
          </Stack>
        </Alert>
      )}
    </Dialog>
  )
}
