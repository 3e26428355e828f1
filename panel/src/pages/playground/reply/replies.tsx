import { defaultSettings } from '../../../playground/settings.ts'
import type { Playground } from '../../../playground/use-playground.ts'
import classes from '../playground.module.css'
import { ReplyView } from './reply-view.tsx'
import { columnNames } from '../settings/settings-column.tsx'

type RepliesProps = { playground: Playground; plain: boolean; onRetry: () => void }

/** The replies to the last request, side by side while two settings are compared. */
export function Replies({ playground: { draft, edit }, plain, onRetry }: RepliesProps) {
  const { replies, columns, chosen } = draft
  if (replies.length === 0) return null
  const isChoice = replies.some(({ choices }) => choices.length > 1) || replies.length > 1
  return (
    <div className={classes['replies']} data-columns={replies.length}>
      {replies.map((reply, column) => (
        <ReplyView
          key={column}
          reply={reply}
          label={replies.length > 1 ? columnNames[column] : undefined}
          settings={columns[column] ?? defaultSettings}
          chosen={chosen.column === column ? chosen.choice : undefined}
          onChoose={isChoice ? (choice) => edit({ chosen: { column, choice } }) : undefined}
          plain={plain}
          onRetry={onRetry}
        />
      ))}
    </div>
  )
}
