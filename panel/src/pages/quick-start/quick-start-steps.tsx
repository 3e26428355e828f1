import { Anchor, NativeSelect, Text, Title } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { PanelKey } from '../../../../src/protocol/panel-keys.ts'
import { CodeBlock, CodeSnippets } from '../../components/code-snippets.tsx'
import { quoteForShell } from '../../snippets.ts'
import classes from './quick-start.module.css'

const route = getRouteApi('/signed-in/quick-start')

const firstRequest = {
  model: 'svc-o1-mini',
  messages: [{ role: 'user', content: 'Hello! Who are you?' }],
}

/** The steps with the name of one of the user's keys. The service does not know the key itself. */
export function QuickStartSteps({ keys }: { keys: readonly PanelKey[] }) {
  const { key: keyId } = route.useSearch()
  const navigate = route.useNavigate()
  const chosen = keys.find(({ id }) => id === keyId) ?? keys[0]
  const name = chosen?.name ?? ''
  return (
    <ol className={classes['steps']}>
      <Step title="Set your API key">
        <NativeSelect
          label="Key"
          className={classes['key']}
          data={keys.map((key) => ({ value: key.id, label: key.name }))}
          value={chosen?.id ?? ''}
          onChange={(event) =>
            void navigate({ search: { key: event.currentTarget.value }, replace: true })
          }
        />
        <Text size="sm">
          Put the key you copied for <bdi className={classes['name']}>{name}</bdi> into an
          environment variable, not into your code. Lost it?{' '}
          <Anchor inherit renderRoot={(props) => <Link to="/keys" {...props} />}>
            Rotate the key
          </Anchor>
          .
        </Text>
        <CodeBlock label="Environment" code={exportLine(name)} />
      </Step>
      <Step title="Base URL">
        <Text size="sm">
          The API is compatible with OpenAI’s Chat Completions. Point your OpenAI client at this
          base URL and use the model <code>svc-o1-mini</code>.
        </Text>
        <CodeBlock label="Base URL" code={`${location.origin}/v1`} />
      </Step>
      <Step title="Send a request">
        <CodeSnippets request={{ origin: location.origin, body: firstRequest }} />
      </Step>
      <Step title="Next steps">
        <ul className={classes['next']}>
          <li>
            <PageLink to="/playground">Try messages and parameters in the playground</PageLink>,
            then copy the request as code.
          </li>
          <li>
            <PageLink to="/usage">See your usage</PageLink> and{' '}
            <PageLink to="/requests">the status of each request</PageLink>.
          </li>
          <li>
            <PageLink to="/keys">Create one key per app</PageLink>, each with its own limits.
          </li>
          <li>
            Read{' '}
            <Anchor inherit href="/docs">
              the API reference
            </Anchor>
            , or import{' '}
            <Anchor inherit href="/openapi.json">
              the OpenAPI description
            </Anchor>{' '}
            into your tools.
          </li>
        </ul>
      </Step>
    </ol>
  )
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className={classes['step']}>
      <Title order={2}>{title}</Title>
      {children}
    </li>
  )
}

function PageLink({
  to,
  children,
}: {
  to: '/playground' | '/usage' | '/requests' | '/keys'
  children: ReactNode
}) {
  return (
    <Anchor inherit renderRoot={(props) => <Link to={to} {...props} />}>
      {children}
    </Anchor>
  )
}

/** Removes control characters from the name: a line break would end the shell command. */
function exportLine(name: string): string {
  const oneLine = name.replace(/\p{Cc}+/gu, ' ')
  return `export PIPIT_API_KEY=${quoteForShell(`paste the key for ${oneLine} here`)}`
}
