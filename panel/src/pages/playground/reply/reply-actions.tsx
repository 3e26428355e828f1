import { Button, Group, Switch } from '@mantine/core'
import { newMessage } from '../../../playground/conversation.ts'
import { commitReply, isRunning, type Draft } from '../../../playground/draft.ts'
import { hasText } from '../../../playground/reply.ts'
import type { Playground } from '../../../playground/use-playground.ts'

type ReplyActionsProps = {
  playground: Playground
  onRegenerate: () => void
  plain: boolean
  onPlain: (plain: boolean) => void
}

/** The buttons below the replies. */
export function ReplyActions({ playground, onRegenerate, plain, onPlain }: ReplyActionsProps) {
  const { draft, edit } = playground
  const running = isRunning(draft)
  return (
    <Group gap="xs">
      {draft.replies.length > 0 && !running && (
        <Button variant="default" size="xs" onClick={onRegenerate}>
          Regenerate
        </Button>
      )}
      {!running && draft.replies.some(hasText) && (
        <Button variant="default" size="xs" onClick={() => edit(commitReply(draft))}>
          Edit reply
        </Button>
      )}
      <Button
        variant="default"
        size="xs"
        disabled={running}
        onClick={() => edit(addMessage(commitReply(draft)))}
      >
        Add message
      </Button>
      <Switch
        size="xs"
        label="Plain text"
        checked={plain}
        onChange={(event) => onPlain(event.currentTarget.checked)}
      />
    </Group>
  )
}

function addMessage(draft: Draft): Draft {
  return { ...draft, messages: [...draft.messages, newMessage('user', '')] }
}
