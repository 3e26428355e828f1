import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatCount, formatDuration, formatTokensPerSecond } from '../../../format/format.ts'
import type { Reply } from '../../../playground/reply.ts'
import { receiptQuery } from '../../../receipt/receipt-query.ts'
import { timingOf, tokensPerSecond } from '../../../receipt/timing-parts.ts'
import classes from '../playground.module.css'

const finishReasonLabels = {
  stop: 'Finished (stop)',
  length: 'Cut off (length)',
  tool_calls: 'Tool call (tool_calls)',
} as const

/** A reply's tokens and times. The times are the browser's until the receipt has loaded, and then the service's. */
export function ReplyFigures({ reply }: { reply: Reply }) {
  const { usage, requestId } = reply
  const { firstTokenMs = reply.firstTokenMs, totalMs = reply.elapsedMs, speed } = useTimes(reply)
  const reasons = new Set(reply.choices.flatMap(({ finishReason }) => finishReason ?? []))
  const cached = usage?.prompt_tokens_details.cached_tokens ?? 0
  return (
    <dl className={classes['figures']}>
      <Figure
        name="First token"
        value={firstTokenMs === undefined ? '–' : formatDuration(firstTokenMs)}
      />
      <Figure name="Time" value={formatDuration(totalMs)} />
      <Figure
        name="Reply"
        value={
          usage === undefined
            ? `about ${formatCount(reply.deltas)} tokens`
            : `${formatCount(usage.completion_tokens)} tokens`
        }
      />
      <Figure name="Speed" value={speed === undefined ? '–' : formatTokensPerSecond(speed)} />
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
      {reply.fingerprint !== undefined && <Figure name="Fingerprint" value={reply.fingerprint} />}
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

type Times = { firstTokenMs?: number; totalMs?: number; speed?: number | undefined }

/** Returns the service's times. Empty until the receipt has loaded, and for a request that never ran. */
function useTimes({ requestId, outcome }: Reply): Times {
  const { data: receipt } = useQuery({
    ...receiptQuery(requestId ?? ''),
    enabled: requestId !== undefined && outcome.state !== 'running',
    // The receipt of an ended request does not change.
    staleTime: ({ state }) => (state.data?.status === 'in_progress' ? 0 : Infinity),
  })
  const timing = receipt && timingOf(receipt.timing)
  if (receipt === undefined || timing === undefined) return {}
  const { queue_ms: queueMs, prefill_ms: prefillMs } = receipt.timing
  return {
    ...(prefillMs !== null && { firstTokenMs: (queueMs ?? 0) + prefillMs }),
    totalMs: timing.totalMs,
    speed: tokensPerSecond(receipt),
  }
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
