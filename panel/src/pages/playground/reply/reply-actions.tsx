import { Button, Group, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { newMessage } from '../../../playground/conversation.ts'
import { chosenReply, commitReply, isRunning, type Draft } from '../../../playground/draft.ts'
import { hasText } from '../../../playground/reply.ts'
import type { Playground } from '../../../playground/use-playground.ts'
import { modelName } from '../../model/models-api.ts'
import { servingModelQuery } from '../model-line.tsx'

type ReplyActionsProps = {
  playground: Playground
  onRegenerate: () => void
  plain: boolean
  onPlain: (plain: boolean) => void
}

/** The buttons below the replies. */
export function ReplyActions({ playground, onRegenerate, plain, onPlain }: ReplyActionsProps) {
  const { draft, edit, replace } = playground
  const running = isRunning(draft)
  const isUnfinished = running || !draft.replies.some(hasText)
  const keep = useKeep(playground)
  const commit = (committed: Draft) => {
    const replies = draft.replies.flatMap(({ choices }) => choices)
    if (replies.length > 1) replace('Other replies removed.', committed)
    else edit(committed)
  }
  return (
    <Group gap="xs">
      {draft.replies.length > 0 && (
        <>
          <Button variant="default" size="xs" disabled={running} onClick={onRegenerate}>
            Regenerate
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={isUnfinished}
            onClick={() => commit(commitReply(draft))}
          >
            Edit reply
          </Button>
          <Button variant="default" size="xs" disabled={isUnfinished} onClick={keep}>
            Keep to compare
          </Button>
        </>
      )}
      <Button
        variant="default"
        size="xs"
        disabled={running}
        onClick={() => commit(addMessage(commitReply(draft)))}
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

/** Returns a function that keeps the chosen reply, with the name of the model if it still serves. */
function useKeep({ draft, replace }: Playground): () => void {
  const { data } = useQuery(servingModelQuery)
  return () => {
    const reply = chosenReply(draft)
    if (reply === undefined) return
    const isServing = data?.model.fingerprint === reply.fingerprint
    const model = data === undefined || !isServing ? undefined : modelName(data.model)
    replace('Reply kept.', { kept: { reply, model } })
  }
}

function addMessage(draft: Draft): Draft {
  return { ...draft, messages: [...draft.messages, newMessage('user', '')] }
}
