import { ActionIcon, Group, NativeSelect, Textarea } from '@mantine/core'
import {
  messageRoles,
  moveMessage,
  type Message,
  type MessageRole,
} from '../../playground/conversation.ts'
import classes from './playground.module.css'
import { ToolCalls } from './reply/tool-calls.tsx'

type MessageListProps = {
  messages: readonly Message[]
  onChange: (messages: readonly Message[]) => void
  onRemove: (message: Message) => void
}

/** The messages of the conversation. Each one can be edited, moved and removed. */
export function MessageList({ messages, onChange, onRemove }: MessageListProps) {
  const edit = (message: Message, change: Partial<Message>) =>
    onChange(messages.map((other) => (other === message ? { ...message, ...change } : other)))
  return (
    <ol className={classes['messages']} aria-label="Messages">
      {messages.map((message, index) => (
        <li key={message.id} className={classes['message']} data-role={message.role}>
          <Group justify="space-between" gap="xs" wrap="nowrap">
            <NativeSelect
              aria-label={`Role of message ${index + 1}`}
              size="xs"
              variant="unstyled"
              w={110}
              data={messageRoles
                .filter((role) => role !== 'tool' || message.role === 'tool')
                .map((role) => ({ value: role, label: roleLabels[role] }))}
              value={message.role}
              onChange={(event) => {
                const role = messageRoles.find((name) => name === event.currentTarget.value)
                if (role !== undefined) edit(message, { role })
              }}
            />
            <Group gap={2} wrap="nowrap">
              <MessageButton
                label={`Move message ${index + 1} up`}
                sign="↑"
                disabled={index === 0}
                onClick={() => onChange(moveMessage(messages, index, -1))}
              />
              <MessageButton
                label={`Move message ${index + 1} down`}
                sign="↓"
                disabled={index === messages.length - 1}
                onClick={() => onChange(moveMessage(messages, index, 1))}
              />
              <MessageButton
                label={`Remove message ${index + 1}`}
                sign="×"
                onClick={() => onRemove(message)}
              />
            </Group>
          </Group>
          {message.toolCalls !== undefined && <ToolCalls calls={message.toolCalls} />}
          <Textarea
            aria-label={`Message ${index + 1}, ${roleLabels[message.role]}`}
            variant="unstyled"
            autosize
            maxRows={24}
            dir="auto"
            value={message.content}
            onChange={(event) => edit(message, { content: event.currentTarget.value })}
          />
        </li>
      ))}
    </ol>
  )
}

const roleLabels: Readonly<Record<MessageRole, string>> = {
  user: 'User',
  assistant: 'Assistant',
  system: 'System',
  tool: 'Tool',
}

type MessageButtonProps = { label: string; sign: string; disabled?: boolean; onClick: () => void }

function MessageButton({ label, sign, disabled = false, onClick }: MessageButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      {sign}
    </ActionIcon>
  )
}
