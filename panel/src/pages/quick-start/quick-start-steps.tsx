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

/** The steps, with the name of one of the user's keys; what the key itself is, only the user knows. */
export function QuickStartSteps({ keys }: { keys: readonly PanelKey[] }) {
  const { key: wanted } = route.useSearch()
  const navigate = route.useNavigate()
  const chosen = keys.find(({ id }) => id === wanted) ?? keys[0]
  const name = chosen?.name ?? ''
  return (
    <ol className={classes['steps']}>
      <Step title="Give your program a key">
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
          Put what you copied when <bdi>{name}</bdi> was created into the environment, and not into
          your code. It was shown only then: if it is lost,{' '}
          <Anchor inherit renderRoot={(props) => <Link to="/keys" {...props} />}>
            rotate the key
          </Anchor>
          .
        </Text>
        <CodeBlock label="Environment" code={exportLine(name)} />
      </Step>
      <Step title="Know the address">
        <Text size="sm">
          It speaks the protocol of OpenAI's chat completions, so the clients that you have work
          with this base URL. The model is svc-o1-mini.
        </Text>
        <CodeBlock label="Base URL" code={`${location.origin}/v1`} />
      </Step>
      <Step title="Ask for a first reply">
        <CodeSnippets request={{ origin: location.origin, body: firstRequest }} />
      </Step>
      <Step title="Go on">
        <ul className={classes['next']}>
          <li>
            <PageLink to="/playground">Try messages and parameters in the playground</PageLink>, and
            take the request from there as code.
          </li>
          <li>
            <PageLink to="/usage">See what was used</PageLink> and{' '}
            <PageLink to="/requests">what became of each request</PageLink>.
          </li>
          <li>
            <PageLink to="/keys">Give each program its own key</PageLink>, with the limits that it
            needs.
          </li>
          <li>
            Read{' '}
            <Anchor inherit href="/docs">
              the reference of the API
            </Anchor>
            , or load{' '}
            <Anchor inherit href="/openapi.json">
              its OpenAPI description
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

/** A name may hold anything; a line break would end the line of the shell. */
function exportLine(name: string): string {
  const oneLine = name.replace(/\p{Cc}+/gu, ' ')
  return `export PIPIT_API_KEY=${quoteForShell(`paste the key ${oneLine} here`)}`
}
