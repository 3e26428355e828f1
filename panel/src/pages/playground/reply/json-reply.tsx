import { Alert, List, Text } from '@mantine/core'
import { checkJson } from '../../../playground/check-json.ts'
import type { Choice } from '../../../playground/reply.ts'
import classes from '../playground.module.css'

/** Formats a JSON reply and checks it against the schema of its request. */
export function JsonReply({ choice, schema }: { choice: Choice; schema: string }) {
  const result = checkJson(choice.text, schema)
  if (result.state === 'broken')
    return (
      <>
        <pre className={classes['plain']}>{choice.text}</pre>
        <Alert color="yellow" title="Invalid JSON">
          {choice.finishReason === 'length'
            ? 'The reply was cut off. Raise Max tokens.'
            : result.fault}
        </Alert>
      </>
    )
  const { faults = [] } = result
  return (
    <>
      <pre className={classes['plain']}>{result.pretty}</pre>
      {faults.length === 0 ? (
        <Text size="xs" c="dimmed">
          {schema === ''
            ? 'Valid JSON'
            : result.faults === undefined
              ? 'Valid JSON. The browser cannot check this schema.'
              : 'Matches the schema'}
        </Text>
      ) : (
        <Alert color="yellow" title="Does not match the schema">
          <List size="sm">
            {faults.map((fault) => (
              <List.Item key={fault}>{fault}</List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  )
}
