import { Alert, List, Text } from '@mantine/core'
import { checkJson } from '../../../playground/check-json.ts'
import type { Choice } from '../../../playground/reply.ts'
import classes from '../playground.module.css'

/** A reply that should be JSON: laid out, and held against its schema. */
export function JsonReply({ choice, schema }: { choice: Choice; schema: string }) {
  const result = checkJson(choice.text, schema)
  if (result.state === 'broken')
    return (
      <>
        <pre className={classes['plain']}>{choice.text}</pre>
        <Alert color="yellow" title="Not whole JSON">
          {choice.finishReason === 'length'
            ? 'The reply was cut before it ended: allow a longer one.'
            : result.fault}
        </Alert>
      </>
    )
  return (
    <>
      <pre className={classes['plain']}>{result.pretty}</pre>
      {result.faults.length === 0 ? (
        <Text size="xs" c="dimmed">
          {schema === '' ? 'Checked: it is JSON.' : 'Checked: it fulfils the schema.'}
        </Text>
      ) : (
        <Alert color="yellow" title="It does not fulfil the schema as it is now">
          <List size="sm">
            {result.faults.map((fault) => (
              <List.Item key={fault}>{fault}</List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  )
}
