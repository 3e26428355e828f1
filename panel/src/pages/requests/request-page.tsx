import { Alert, Anchor, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Receipt } from '../../../../src/protocol/receipt.ts'
import { Copyable } from '../../components/copyable.tsx'
import { KeyName } from '../../components/keys/key-name.tsx'
import { Page } from '../../components/page/page.tsx'
import { Part } from '../../components/page/part.tsx'
import { ErrorState, Loading } from '../../components/page/states.tsx'
import { Time } from '../../components/time.tsx'
import { useMarkWhen } from '../../first-steps/use-mark.ts'
import { formatCount, formatTokensPerSecond } from '../../format/format.ts'
import { explain } from './receipt-words.ts'
import classes from './request-page.module.css'
import { StatusBadge } from './status-badge.tsx'
import { TimingBar } from './timing-bar.tsx'
import { receiptQuery } from '../../receipt/receipt-query.ts'
import { tokensPerSecond } from '../../receipt/timing-parts.ts'

const route = getRouteApi('/signed-in/requests/$id')

/** The page of one receipt. */
export function RequestPage() {
  const { id } = route.useParams()
  const { data, error, refetch } = useQuery(receiptQuery(id))
  useMarkWhen('seen', data !== undefined)
  return (
    <Page
      title="Request"
      description={
        <Anchor component={Link} to="/requests" size="sm">
          All requests
        </Anchor>
      }
    >
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading rows={8} />}
      {data !== undefined && <ReceiptView receipt={data} />}
    </Page>
  )
}

function ReceiptView({ receipt }: { receipt: Receipt }) {
  return (
    <Stack gap="lg">
      <Outcome receipt={receipt} />
      <Part title="Timing" className={classes['card']}>
        <TimingBar timing={receipt.timing} />
      </Part>
      <Part title="Usage" className={classes['card']}>
        <Usage receipt={receipt} />
      </Part>
      <Part title="Details" className={classes['card']}>
        <Details receipt={receipt} />
      </Part>
    </Stack>
  )
}

function Outcome({ receipt }: { receipt: Receipt }) {
  const { status, error, id } = receipt
  const explanation = explain(receipt)
  const bad = status === 'failed' || status === 'refused'
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <StatusBadge status={status} />
        <Copyable text={id} what="request ID" />
      </Group>
      {bad ? (
        <Alert
          color={status === 'failed' ? 'red' : 'yellow'}
          title={error === null ? undefined : <code>{error.code}</code>}
        >
          {error !== null && error.message !== null && (
            <p className={classes['message']}>{error.message}</p>
          )}
          {error !== null && error.param !== null && (
            <p className={classes['message']}>
              Parameter: <code>{error.param}</code>
            </p>
          )}
          {explanation}
        </Alert>
      ) : (
        <Text>{explanation}</Text>
      )}
    </Stack>
  )
}

function Usage({ receipt }: { receipt: Receipt }) {
  const { usage, max_tokens: maxTokens } = receipt
  const speed = tokensPerSecond(receipt)
  return (
    <Facts>
      <Fact name="Prompt tokens">{formatCount(usage.prompt_tokens)}</Fact>
      <Fact name="Cached prompt tokens">
        {formatCount(usage.prompt_tokens_details.cached_tokens)}
      </Fact>
      <Fact name="Completion tokens">
        {formatCount(usage.completion_tokens)} of {formatCount(maxTokens)}
      </Fact>
      {usage.completion_tokens_details !== undefined && (
        <Fact name="Reasoning tokens">
          {formatCount(usage.completion_tokens_details.reasoning_tokens)}
        </Fact>
      )}
      <Fact name="Total tokens">{formatCount(usage.total_tokens)}</Fact>
      <Fact name="Decode speed">{speed === undefined ? '–' : formatTokensPerSecond(speed)}</Fact>
    </Facts>
  )
}

function Details({ receipt }: { receipt: Receipt }) {
  const { seed, system_fingerprint: fingerprint, key_id: keyId } = receipt
  const parameters = Object.entries(receipt.parameters)
  return (
    <Facts>
      <Fact name="Received">
        <Time ms={receipt.created * 1000} />
      </Fact>
      <Fact name="Key">
        <Link to="/requests" search={{ key: keyId }}>
          <KeyName keyId={keyId} />
        </Link>
      </Fact>
      <Fact name="Route">
        <code>POST {receipt.route}</code>
      </Fact>
      <Fact name="Delivered">{receipt.stream ? 'Streamed' : 'Not streamed'}</Fact>
      <Fact name="Model">
        <code>{receipt.model}</code>
      </Fact>
      <Fact name="Finish reason">
        {receipt.finish_reason === null ? '–' : <code>{receipt.finish_reason}</code>}
      </Fact>
      <Fact name="Seed">{seed === null ? '–' : <Copyable text={String(seed)} what="seed" />}</Fact>
      <Fact name="System fingerprint">
        {fingerprint === null ? '–' : <Copyable text={fingerprint} what="fingerprint" />}
      </Fact>
      {parameters.length > 0 && (
        <Fact name="Stored parameters">
          <pre className={classes['json']}>{JSON.stringify(receipt.parameters, null, 2)}</pre>
        </Fact>
      )}
      {receipt.ignored_parameters.length > 0 && (
        <Fact name="Unknown parameters (ignored)">
          <code>{receipt.ignored_parameters.join(', ')}</code>
        </Fact>
      )}
    </Facts>
  )
}

function Facts({ children }: { children: ReactNode }) {
  return <dl className={`numeric ${classes['facts']}`}>{children}</dl>
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes['fact']}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
