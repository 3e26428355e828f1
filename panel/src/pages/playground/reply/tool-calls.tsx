import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { indentJson, parseJson } from '../../../playground/json-text.ts'
import type { ToolCall } from '../../../playground/tools/tool-calls.ts'
import classes from '../playground.module.css'

/** The tools that a message calls, with their arguments. */
export function ToolCalls({ calls }: { calls: readonly ToolCall[] }) {
  return (
    <ul className={classes['calls']} aria-label="Tool calls">
      {calls.map(({ id, name, args }, index) => (
        <li key={`${index} ${id}`}>
          Calls <code>{name}</code>
          <pre className={classes['plain']}>{pretty(args)}</pre>
        </li>
      ))}
    </ul>
  )
}

type ToolResultsProps = {
  calls: readonly ToolCall[]
  /** Called with one result for each call. */
  onSend: (results: readonly string[]) => void
}

/** Asks the user for the results of tool calls, because the playground runs no tools. */
export function ToolResults({ calls, onSend }: ToolResultsProps) {
  const [results, setResults] = useState<Readonly<Record<string, string>>>({})
  return (
    <form
      className={classes['results']}
      onSubmit={(event) => {
        event.preventDefault()
        onSend(calls.map(({ id }) => results[id] ?? ''))
      }}
    >
      {calls.map(({ id, name }) => (
        <Textarea
          key={id}
          size="xs"
          label={`Result of ${name}`}
          placeholder={'{"celsius": 21}'}
          autosize
          minRows={1}
          maxRows={8}
          dir="auto"
          value={results[id] ?? ''}
          onChange={({ currentTarget: { value } }) =>
            setResults((before) => ({ ...before, [id]: value }))
          }
        />
      ))}
      <Button type="submit" size="xs" variant="default">
        {calls.length === 1 ? 'Send result' : 'Send results'}
      </Button>
    </form>
  )
}

function pretty(args: string): string {
  return 'value' in parseJson(args) ? indentJson(args) : args
}
