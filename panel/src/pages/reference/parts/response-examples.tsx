import { NativeSelect, Title } from '@mantine/core'
import { useState } from 'react'
import { CodeBlock } from '../../../components/code-snippets.tsx'
import type { ResponseFacts } from '../../../reference/api-document.ts'
import classes from './request-code.module.css'

/** Example responses of an operation, selected by status and by media type or error code. */
export function ResponseExamples({ responses }: { responses: readonly ResponseFacts[] }) {
  const shown = responses.filter(({ examples }) => examples.length > 0)
  const [status, setStatus] = useState(shown[0]?.status)
  const [name, setName] = useState<string>()
  const response = shown.find((one) => one.status === status)
  if (response === undefined) return null
  const example = response.examples.find((one) => one.name === name) ?? response.examples[0]
  return (
    <div className={classes['example']}>
      <Title order={2} mb="xs">
        Response
      </Title>
      <div className={classes['responses']}>
        <NativeSelect
          size="xs"
          label="Status"
          data={shown.map((one) => one.status)}
          value={response.status}
          onChange={(event) => setStatus(event.currentTarget.value)}
        />
        {response.examples.length > 1 && (
          <NativeSelect
            size="xs"
            label="Example"
            data={response.examples.map((one) => one.name)}
            value={example?.name ?? ''}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
      </div>
      <CodeBlock
        code={example?.text.trimEnd() ?? ''}
        label={`Response with status ${response.status}`}
      />
    </div>
  )
}
