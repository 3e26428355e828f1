import { Alert, Button, Group, Loader, Radio, Stack, Text } from '@mantine/core'
import { lazy, Suspense, type ReactNode } from 'react'
import { Markdown } from '../../../components/markdown/markdown.tsx'
import type { Choice, Reply, ReplyFormat } from '../../../playground/reply.ts'
import { ToolCalls } from './tool-calls.tsx'
import { LiveText } from './live-text.tsx'
import classes from '../playground.module.css'
import { ReplyFigures } from './reply-figures.tsx'

type ReplyViewProps = {
  reply: Reply
  name: string
  /** "A" or "B" while two settings are compared. */
  label?: string | undefined
  /** The index of the chosen choice; undefined when another reply is chosen. */
  chosen?: number | undefined
  /** Selects a choice; undefined when there is only one reply. */
  onChoose?: ((choice: number) => void) | undefined
  plain: boolean
  /** Sends the request again; undefined for a kept reply. */
  onRetry?: (() => void) | undefined
  /** Shown beside the name. */
  action?: ReactNode
}

/** The reply to one request: its choices, its outcome and its figures. */
export function ReplyView({
  reply,
  name,
  label,
  chosen,
  onChoose,
  plain,
  onRetry,
  action,
}: ReplyViewProps) {
  const isRunning = reply.outcome.state === 'running'
  return (
    <section aria-label={name} className={classes['reply']}>
      <Stack gap="sm">
        <Group gap="xs" justify="space-between">
          <Text fw={600} size="sm">
            {name}
          </Text>
          {isRunning && <Loader size="xs" aria-label="Generating reply" />}
          {action}
        </Group>
        {reply.choices.map((choice, index) => (
          <ChoiceView
            key={index}
            choice={choice}
            isRunning={isRunning}
            plain={plain}
            format={reply.format}
            heading={
              onChoose !== undefined && (
                <Radio
                  size="xs"
                  // One group over all replies, so that the arrow keys move between them.
                  name="chosen-reply"
                  label={`Continue with ${choiceName(label, index, reply.choices.length)}`}
                  checked={chosen === index}
                  onChange={() => onChoose(index)}
                />
              )
            }
          />
        ))}
        <OutcomeNote reply={reply} onRetry={onRetry} />
        <ReplyFigures reply={reply} />
      </Stack>
      <LiveText text={reply.choices[0]?.text ?? ''} ended={!isRunning} />
    </section>
  )
}

type ChoiceViewProps = {
  choice: Choice
  isRunning: boolean
  plain: boolean
  format: ReplyFormat
  heading: ReactNode
}

function ChoiceView({ choice, isRunning, plain, format, heading }: ChoiceViewProps) {
  const { isJson, schema } = format
  return (
    <div className={classes['choice']}>
      {heading}
      {choice.thought !== undefined && (
        <details>
          <summary>Reasoning</summary>
          <pre className={classes['plain']}>{choice.thought}</pre>
        </details>
      )}
      {choice.toolCalls !== undefined && <ToolCalls calls={choice.toolCalls} />}
      {choice.text === '' && choice.toolCalls !== undefined ? null : isJson && !isRunning ? (
        <Suspense fallback={<pre className={classes['plain']}>{choice.text}</pre>}>
          <JsonReply choice={choice} schema={schema} />
        </Suspense>
      ) : plain || isJson ? (
        <pre className={classes['plain']}>{choice.text}</pre>
      ) : (
        <Markdown text={choice.text} isGrowing={isRunning} />
      )}
      {choice.logprobs.length > 0 && !isRunning && (
        <Suspense>
          <TokenProbabilities tokens={choice.logprobs} />
        </Suspense>
      )}
    </div>
  )
}

// Loads the schema validator with the first reply that needs it.
const JsonReply = lazy(async () => ({ default: (await import('./json-reply.tsx')).JsonReply }))

const TokenProbabilities = lazy(async () => ({
  default: (await import('./token-table.tsx')).TokenProbabilities,
}))

function OutcomeNote({ reply, onRetry }: Pick<ReplyViewProps, 'reply' | 'onRetry'>) {
  switch (reply.outcome.state) {
    case 'running':
    case 'completed':
      return null
    case 'stopped':
      return (
        <Text size="sm" c="dimmed" role="status">
          Stopped. The partial reply is kept.
        </Text>
      )
    case 'failed':
      return (
        <Alert color="red" role="alert" title="Reply failed">
          <Stack gap="xs" align="flex-start">
            <span>{reply.outcome.message}</span>
            {onRetry !== undefined && (
              <Button size="xs" variant="default" onClick={onRetry}>
                Try again
              </Button>
            )}
          </Stack>
        </Alert>
      )
  }
}

function choiceName(label: string | undefined, index: number, choices: number): string {
  if (label === undefined) return `reply ${index + 1}`
  return choices > 1 ? `${label}, reply ${index + 1}` : label
}
