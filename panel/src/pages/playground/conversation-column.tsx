import { Alert, Button, Group, Switch, Text, Textarea } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useState } from 'react'
import { newMessage } from '../../playground/conversation.ts'
import {
  conversationFault,
  isRunning,
  takeInput,
  takeReply,
  type Draft,
} from '../../playground/draft.ts'
import { hasText } from '../../playground/reply.ts'
import { parseSettings } from '../../playground/settings.ts'
import type { Playground } from '../../playground/use-playground.ts'
import { Composer } from './composer.tsx'
import { MessageList } from './message-list.tsx'
import classes from './playground.module.css'
import { Replies } from './reply/replies.tsx'
import { TokenCount } from './token-count.tsx'
import type { Preview } from './use-preview.ts'

type ConversationColumnProps = { playground: Playground; preview: Preview }

/** What was said, what came of it, and what is being written. */
export function ConversationColumn({ playground, preview }: ConversationColumnProps) {
  const { draft, edit, replace, undo, ask, stop, kept } = playground
  const [plain, setPlain] = useState(false)
  const [fault, setFault] = useState<string>()
  const running = isRunning(draft)
  useWindowEvent('keydown', (event) => {
    // A dialog or a list that is open takes its Escape itself.
    if (event.key === 'Escape' && running && !event.defaultPrevented && !event.isComposing) stop()
  })
  const tryAsk = (asked: Draft) => {
    const found = conversationFault(asked) ?? settingsFault(asked)
    setFault(found)
    if (found === undefined) ask(asked)
  }
  const canTake = !running && draft.replies.some(hasText)
  return (
    <div className={classes['conversation']}>
      <Textarea
        label="System prompt"
        description="General instructions; left empty, there are none."
        autosize
        maxRows={12}
        dir="auto"
        value={draft.system}
        onChange={(event) => edit({ system: event.currentTarget.value })}
      />
      <MessageList
        messages={draft.messages}
        onChange={(messages) => edit({ messages })}
        onRemove={(message) =>
          replace('The message was removed.', {
            messages: draft.messages.filter((other) => other !== message),
          })
        }
      />
      <Replies playground={playground} plain={plain} onRetry={() => tryAsk(draft)} />
      <Group gap="xs">
        {draft.replies.length > 0 && !running && (
          <Button variant="default" size="xs" onClick={() => tryAsk(draft)}>
            Generate again
          </Button>
        )}
        {canTake && (
          <Button variant="default" size="xs" onClick={() => edit(takeReply(draft))}>
            Edit the reply
          </Button>
        )}
        <Button
          variant="default"
          size="xs"
          disabled={running}
          onClick={() => edit(addMessage(takeReply(draft)))}
        >
          Add a message
        </Button>
        <Switch
          size="xs"
          label="Plain text"
          checked={plain}
          onChange={(event) => setPlain(event.currentTarget.checked)}
        />
      </Group>
      <div role="status">
        {undo !== undefined && (
          <Group gap="xs">
            <Text size="sm">{undo.words}</Text>
            <Button variant="default" size="compact-xs" onClick={undo.run}>
              Undo
            </Button>
          </Group>
        )}
        {!kept && (
          <Text size="sm" c="red">
            This is too long to be kept over a reload. Copy what you need before you leave the page.
          </Text>
        )}
      </div>
      {fault !== undefined && (
        <Alert color="red" role="alert" withCloseButton onClose={() => setFault(undefined)}>
          {fault}
        </Alert>
      )}
      <Composer
        input={draft.input}
        onChange={(input) => {
          setFault(undefined)
          edit({ input })
        }}
        onSend={() => tryAsk(takeInput(draft))}
        onStop={stop}
        isRunning={running}
      >
        <TokenCount {...preview} />
      </Composer>
    </div>
  )
}

function addMessage(draft: Draft): Draft {
  return { ...draft, messages: [...draft.messages, newMessage('user', '')] }
}

function settingsFault({ columns }: Draft): string | undefined {
  const [fault] = columns.flatMap((settings) => Object.values(parseSettings(settings).faults))
  return fault === undefined ? undefined : `Correct the settings first: ${fault}`
}
