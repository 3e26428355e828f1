import { Alert, Button, Group, Text, Textarea } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useRef, useState } from 'react'
import {
  commitInput,
  commitToolResults,
  conversationError,
  inputError,
  settingsError,
  type Draft,
  isRunning,
  openCalls,
} from '../../playground/draft.ts'
import type { Playground } from '../../playground/use-playground.ts'
import { Composer } from './composer.tsx'
import { MessageList } from './message-list.tsx'
import classes from './playground.module.css'
import { PromptChips } from './prompt-chips.tsx'
import { Replies } from './reply/replies.tsx'
import { ReplyActions } from './reply/reply-actions.tsx'
import { ToolResults } from './reply/tool-calls.tsx'
import { TokenCount } from './token-count.tsx'
import { useFollow } from './use-follow.ts'
import type { Preview } from './use-preview.ts'

type ConversationColumnProps = { playground: Playground; preview: Preview }

/** The system prompt, the messages, the replies and the composer. */
export function ConversationColumn({ playground, preview }: ConversationColumnProps) {
  const { draft, numbers, edit, replace, send, stop } = playground
  const [plain, setPlain] = useState(false)
  const [fault, setFault] = useState<string>()
  const running = isRunning(draft)
  const calls = openCalls(draft)
  const column = useRef<HTMLDivElement>(null)
  const composer = useRef<HTMLTextAreaElement>(null)
  useFollow(column, draft.replies, running)
  useWindowEvent('keydown', (event) => {
    // An open dialog or dropdown handles Escape itself.
    if (event.key === 'Escape' && running && !event.defaultPrevented && !event.isComposing) stop()
  })
  const trySend = (wanted: Draft, refusal?: string) => {
    const found = refusal ?? conversationError(wanted) ?? firstFault(settingsError(wanted, numbers))
    setFault(found)
    if (found === undefined) send(wanted)
  }
  return (
    <div ref={column} className={classes['conversation']}>
      <SystemPrompt playground={playground} />
      <MessageList
        messages={draft.messages}
        onChange={(messages) => edit({ messages })}
        onRemove={(message) =>
          replace('Message removed.', {
            messages: draft.messages.filter((other) => other !== message),
          })
        }
      />
      <Replies playground={playground} plain={plain} onRetry={() => trySend(draft)} />
      {calls.length > 0 && !running && (
        <ToolResults
          calls={calls}
          onSend={(results) => trySend(commitToolResults(draft, results))}
        />
      )}
      <ReplyActions
        playground={playground}
        onRegenerate={() => trySend(draft)}
        plain={plain}
        onPlain={setPlain}
      />
      <DraftStatus playground={playground} />
      <Fault text={fault} onClose={() => setFault(undefined)} />
      <PromptChips
        draft={draft}
        onChoose={(change) => {
          setFault(undefined)
          if (draft.input === '') edit(change)
          else replace('Prompt inserted.', change)
          composer.current?.focus()
        }}
      />
      <Composer
        field={composer}
        input={draft.input}
        onChange={(input) => {
          setFault(undefined)
          edit({ input })
        }}
        onSend={() => trySend(commitInput(draft), inputError(draft))}
        onStop={stop}
        isRunning={running}
      >
        <TokenCount {...preview} />
      </Composer>
    </div>
  )
}

function firstFault(error: ReturnType<typeof settingsError>): string | undefined {
  return error && `${error.task} ${error.faults[0]}`
}

function SystemPrompt({ playground: { draft, edit } }: { playground: Playground }) {
  return (
    <Textarea
      label="System prompt"
      description="Optional instructions"
      autosize
      maxRows={12}
      dir="auto"
      value={draft.system}
      onChange={(event) => edit({ system: event.currentTarget.value })}
    />
  )
}

function Fault({ text, onClose }: { text: string | undefined; onClose: () => void }) {
  if (text === undefined) return null
  return (
    <Alert color="red" role="alert" withCloseButton onClose={onClose}>
      {text}
    </Alert>
  )
}

/** Announces a change that can be undone, and a draft that could not be saved. */
function DraftStatus({ playground: { undo, saved } }: { playground: Playground }) {
  return (
    <div role="status">
      {undo !== undefined && (
        <Group gap="xs">
          <Text size="sm">{undo.message}</Text>
          <Button variant="default" size="compact-xs" onClick={undo.run}>
            Undo
          </Button>
        </Group>
      )}
      {!saved && (
        <Text size="sm" c="red">
          This conversation is too long to save. Copy what you need before you leave the page.
        </Text>
      )}
    </div>
  )
}
