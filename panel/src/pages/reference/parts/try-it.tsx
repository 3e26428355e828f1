import { Alert, Button, Group, PasswordInput, Text, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { CodeBlock } from '../../../components/code-snippets.tsx'
import { holdKey, useHeldKey } from '../../../reference/held-key.ts'
import type { ApiOperation } from '../../../reference/api-document.ts'
import { objectOf, textOf } from '../../../reference/json.ts'
import { type SentReply, sendRequest } from '../../../reference/send-request.ts'
import classes from './try-it.module.css'

type State =
  | { state: 'idle' }
  | { state: 'running'; text: string }
  | { state: 'done'; reply: SentReply }
  | { state: 'failed'; message: string }

/** Sends a real request with the reader's key, only after a click. */
export function TryIt({ operation }: { operation: ApiOperation }) {
  const parameters = (operation.parameters ?? []).filter((one) => one['in'] !== 'header')
  const [body, setBody] = useState(() => exampleBody(operation))
  const [values, setValues] = useState(() =>
    Object.fromEntries(parameters.map((one) => [textOf(one['name']), textOf(one['example'])])),
  )
  const { state, send, cancel } = useSend(operation)
  return (
    <details className={classes['box']}>
      <summary>Try it</summary>
      <form
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault()
          void send(values, body)
        }}
      >
        {operation.security.length > 0 && <KeyField />}
        {parameters.map((one) => {
          const name = textOf(one['name'])
          return (
            <TextInput
              key={name}
              size="xs"
              label={name}
              required={one['required'] === true}
              value={values[name] ?? ''}
              onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
            />
          )
        })}
        {body !== undefined && (
          <Textarea
            size="xs"
            label="Body"
            rows={10}
            spellCheck={false}
            classNames={{ input: classes['body'] ?? '' }}
            value={body}
            onChange={(event) => setBody(event.currentTarget.value)}
          />
        )}
        <Group gap="xs">
          <Button type="submit" size="xs" disabled={state.state === 'running'}>
            Send request
          </Button>
          {state.state === 'running' && (
            <Button size="xs" variant="default" onClick={cancel}>
              Cancel
            </Button>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {generates(operation)
            ? 'This generates tokens, which count against the limits of the key.'
            : 'This generates no tokens.'}
        </Text>
      </form>
      <Reply state={state} />
    </details>
  )
}

function KeyField() {
  const queryClient = useQueryClient()
  const held = useHeldKey()
  return (
    <PasswordInput
      size="xs"
      label="API key"
      description="Stays in the memory of this tab until you reload it or sign out."
      autoComplete="off"
      required
      value={held?.key ?? ''}
      onChange={(event) => {
        const key = event.currentTarget.value.trim()
        holdKey(queryClient, key === '' ? null : { name: 'pasted', key })
      }}
    />
  )
}

function useSend(operation: ApiOperation) {
  const held = useHeldKey()
  const [state, setState] = useState<State>({ state: 'idle' })
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  const send = async (values: Record<string, string>, body: string | undefined) => {
    const apiKey = operation.security.length === 0 ? undefined : held?.key
    if (apiKey !== undefined && !/^[!-~]+$/.test(apiKey)) {
      const message =
        'This is not a whole API key. Paste the key itself: the panel shows it only once.'
      return setState({ state: 'failed', message })
    }
    const controller = new AbortController()
    running.current = controller
    setState({ state: 'running', text: '' })
    try {
      const request = {
        method: operation.method,
        path: pathOf(operation, values),
        body,
        apiKey,
      }
      const onText = (text: string) => setState({ state: 'running', text })
      const reply = await sendRequest(request, onText, controller.signal)
      setState({ state: 'done', reply })
    } catch {
      const message = controller.signal.aborted
        ? `Cancelled.${generates(operation) ? ' The tokens generated so far count.' : ''}`
        : 'The service cannot be reached, or its reply took too long. Try again.'
      setState({ state: 'failed', message })
    }
  }
  return { state, send, cancel: () => running.current?.abort() }
}

function Reply({ state }: { state: State }) {
  switch (state.state) {
    case 'idle':
      return null
    case 'running':
      return (
        <>
          <p role="status">Sending…</p>
          {state.text !== '' && <CodeBlock code={state.text} label="Reply so far" />}
        </>
      )
    case 'failed':
      return (
        <Alert color="red" role="alert">
          {state.message}
        </Alert>
      )
    case 'done': {
      const { status, ms, requestId, text } = state.reply
      return (
        <>
          <p role="status">
            Status {status} in {ms} ms
          </p>
          {requestId !== null && <p className={classes['id']}>{requestId}</p>}
          <CodeBlock code={text} label="Reply" />
        </>
      )
    }
  }
}

function exampleBody({ requestBody }: ApiOperation): string | undefined {
  const { example } = objectOf(objectOf(objectOf(requestBody)['content'])['application/json'])
  return example === undefined ? undefined : JSON.stringify(example, null, 2)
}

function pathOf({ path, parameters = [] }: ApiOperation, values: Record<string, string>): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  )
  const query = parameters
    .filter((one) => one['in'] === 'query')
    .map((one) => textOf(one['name']))
    .flatMap((name) => {
      const value = values[name] ?? ''
      return value === '' ? [] : [[name, value]]
    })
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query).toString()}`
}

function generates({ operationId }: ApiOperation): boolean {
  return operationId.startsWith('createChatCompletion')
}
