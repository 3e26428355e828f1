import { Anchor, NativeSelect, Text, Title } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { modelId } from '../../../../src/protocol/chat/model-id.ts'
import type { PanelKey } from '../../../../src/protocol/panel-keys.ts'
import { CodeBlock, CodeSnippets } from '../../components/code-snippets.tsx'
import { quoteForShell } from '../../code/curl.ts'
import { useHeldKey } from '../../reference/held-key.ts'
import { samples } from '../../samples.ts'
import classes from './quick-start.module.css'

const route = getRouteApi('/signed-in/quick-start')

const firstRequest = {
  model: modelId,
  messages: [{ role: 'user', content: samples.quickStart }],
}

/**
 * The steps for one of the user's keys. The service stores only a hash of the key, so the steps contain the key itself
 * only if it is still in this tab's memory, for example because it was just created.
 */
export function QuickStartSteps({ keys }: { keys: readonly PanelKey[] }) {
  const { key: keyId } = route.useSearch()
  const navigate = route.useNavigate()
  const chosen = keys.find(({ id }) => id === keyId) ?? keys[0]
  const name = chosen?.name ?? ''
  const held = useHeldKey()
  // Keys of one account may share a name; the last four characters tell them apart.
  const secret = held !== undefined && isOf(held.key, chosen) ? held.key : undefined
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
          {secret === undefined ? 'Put the key you copied for ' : 'Put this key for '}
          <bdi className={classes['name']}>{name}</bdi> into an environment variable, not into your
          code. {secret === undefined ? 'Lost it? ' : 'A reload of this page forgets it. '}
          <Anchor inherit renderRoot={(props) => <Link to="/keys" {...props} />}>
            Rotate the key
          </Anchor>
          .
        </Text>
        <CodeBlock label="Environment" code={exportLine(name, secret)} />
      </Step>
      <Step title="Base URL">
        <Text size="sm">
          The API is compatible with OpenAI’s Chat Completions. Point your OpenAI client at this
          base URL and use the model <code>{modelId}</code>.
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

function isOf(secret: string, key: PanelKey | undefined): boolean {
  return key?.hint != null && key.hint.slice(-4) === secret.slice(-4)
}

/** Writes the shell command that sets the key. Removes control characters from the name: a line break would end it. */
function exportLine(name: string, secret: string | undefined): string {
  const oneLine = name.replace(/\p{Cc}+/gu, ' ')
  return `export PIPIT_API_KEY=${quoteForShell(secret ?? `paste the key for ${oneLine} here`)}`
}
