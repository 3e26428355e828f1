import { Button, Text } from '@mantine/core'
import { columnNames, isRunning, type KeptReply } from '../../../playground/draft.ts'
import type { Playground } from '../../../playground/use-playground.ts'
import classes from '../playground.module.css'
import { ReplyView } from './reply-view.tsx'

type RepliesProps = { playground: Playground; plain: boolean; onRetry: () => void }

/** The replies to the last request, side by side while two settings are compared, and beside them a kept one. */
export function Replies({ playground: { draft, edit, replace }, plain, onRetry }: RepliesProps) {
  const { replies, chosen, kept } = draft
  if (replies.length === 0 && kept === undefined) return null
  // Right after it was kept, the reply is still the last one.
  const isKeptShown =
    kept !== undefined && !replies.some(({ requestId }) => requestId === kept.reply.requestId)
  const isChoice = replies.some(({ choices }) => choices.length > 1) || replies.length > 1
  return (
    <>
      <div className={classes['replies']}>
        {isKeptShown && (
          <KeptReplyView
            kept={kept}
            plain={plain}
            onRemove={() => replace('Kept reply removed.', { kept: undefined })}
          />
        )}
        {replies.map((reply, column) => (
          <ReplyView
            key={column}
            reply={reply}
            name={replies.length > 1 ? `Reply ${columnNames[column]}` : 'Reply'}
            label={replies.length > 1 ? columnNames[column] : undefined}
            chosen={chosen.column === column ? chosen.choice : undefined}
            onChoose={isChoice ? (choice) => edit({ chosen: { column, choice } }) : undefined}
            plain={plain}
            onRetry={isRunning(draft) ? undefined : onRetry}
          />
        ))}
      </div>
      {kept !== undefined && (
        <Comparison
          kept={kept.reply.fingerprint}
          others={isKeptShown ? replies.flatMap(({ fingerprint }) => fingerprint ?? []) : []}
        />
      )}
    </>
  )
}

type KeptReplyViewProps = { kept: KeptReply; plain: boolean; onRemove: () => void }

function KeptReplyView({ kept, plain, onRemove }: KeptReplyViewProps) {
  const { reply, model } = kept
  return (
    <ReplyView
      reply={reply}
      name={model === undefined ? 'Kept reply' : `Kept reply of ${model}`}
      plain={plain}
      action={
        <Button variant="subtle" color="gray" size="compact-xs" onClick={onRemove}>
          Remove kept reply
        </Button>
      }
    />
  )
}

type ComparisonProps = { kept: string | undefined; others: readonly string[] }

/** Says whether the same model gave the kept reply and the new ones. */
function Comparison({ kept, others }: ComparisonProps) {
  const isSame = others.every((fingerprint) => fingerprint === kept)
  return (
    <Text size="xs" c="dimmed" role="status">
      {others.length === 0
        ? 'Kept. Change the settings or the model, then regenerate to compare.'
        : isSame
          ? 'Same fingerprint: the same model gave both replies.'
          : 'Different fingerprints: another model, chat template or build gave the kept reply.'}
    </Text>
  )
}
