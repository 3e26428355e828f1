import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatCount, formatDuration } from '../../../format/format.ts'
import { tokensPerSecond, type Reply } from '../../../playground/reply.ts'
import classes from '../playground.module.css'

const finishReasonLabels = {
  stop: 'Finished (stop)',
  length: 'Cut off (length)',
  tool_calls: 'Tool call (tool_calls)',
} as const

/** Timing and tokens of a reply, measured in the browser. The receipt has the service's own figures. */
export function ReplyFigures({ reply }: { reply: Reply }) {
  const { usage, requestId, firstTokenMs } = reply
  const rate = tokensPerSecond(reply)
  const reasons = new Set(reply.choices.flatMap(({ finishReason }) => finishReason ?? []))
  const cached = usage?.prompt_tokens_details.cached_tokens ?? 0
  return (
    <dl className={classes['figures']}>
      <Figure
        name="First token"
        value={firstTokenMs === undefined ? '–' : formatDuration(firstTokenMs)}
      />
      <Figure name="Time" value={formatDuration(reply.elapsedMs)} />
      <Figure
        name="Reply"
        value={
          usage === undefined
            ? `about ${formatCount(reply.deltas)} tokens`
            : `${formatCount(usage.completion_tokens)} tokens`
        }
      />
      <Figure name="Speed" value={rate === undefined ? '–' : `${rate.toFixed(1)} tokens/s`} />
      {usage !== undefined && (
        <Figure
          name="Prompt"
          value={`${formatCount(usage.prompt_tokens)} tokens${cached > 0 ? `, ${formatCount(cached)} cached` : ''}`}
        />
      )}
      {reasons.size > 0 && (
        <Figure
          name="Finish reason"
          value={[...reasons].map((reason) => finishReasonLabels[reason]).join('; ')}
        />
      )}
      {requestId !== undefined && (
        <div>
          <dt>Receipt</dt>
          <dd>
            <Anchor
              size="xs"
              renderRoot={(props) => (
                <Link to="/requests/$id" params={{ id: requestId }} {...props} />
              )}
            >
              {requestId}
            </Anchor>
          </dd>
        </div>
      )}
    </dl>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
