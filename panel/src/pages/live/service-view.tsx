import type { ReactNode } from 'react'
import type { PanelLive } from '../../../../src/protocol/panel-live.ts'
import { Copyable } from '../../components/copyable.tsx'
import { Tag } from '../../components/tag.tsx'
import { Time } from '../../components/time.tsx'
import { formatCount } from '../../format/format.ts'
import classes from './live-page.module.css'

const engineWords = {
  loading: { word: 'Loading the model', color: 'yellow' },
  ready: { word: 'Ready', color: 'green' },
  restarting: { word: 'Restarting after a failure', color: 'red' },
  closed: { word: 'Closed', color: 'gray' },
} as const satisfies Record<PanelLive['engine']['state'], object>

/** Is it well, and since when. */
export function ServiceView({ live }: { live: PanelLive }) {
  const { engine, service } = live
  const { word, color } = engineWords[engine.state]
  return (
    <dl className={classes['facts']}>
      <Fact name="Engine">
        <Tag color={color}>{word}</Tag>
      </Fact>
      <Fact name="Requests">
        {service.accepting ? (
          <Tag color="green">Accepted</Tag>
        ) : (
          <Tag color="yellow">Refused: the service is being stopped</Tag>
        )}
      </Fact>
      <Fact name="Ledger">
        {service.ledger_healthy ? (
          <Tag color="green">Written</Tag>
        ) : (
          <Tag color="red">Cannot be written: look at the disk and the log</Tag>
        )}
      </Fact>
      <Fact name="Started">
        <Time ms={service.started_ms} show="relative" />
      </Fact>
      <Fact name="Engine restarts">{formatCount(engine.restarts)}</Fact>
      <Fact name="Version">{service.version}</Fact>
    </dl>
  )
}

export function ModelView({ model }: Pick<PanelLive, 'model'>) {
  return (
    <dl className={classes['facts']}>
      <Fact name="Name">
        <code>{model.id}</code>
      </Fact>
      <Fact name="Weights">{model.description}</Fact>
      <Fact name="Context">{formatCount(model.context_tokens)} tokens for prompt and reply</Fact>
      <Fact name="Longest reply">{formatCount(model.completion_tokens_max)} tokens</Fact>
      <Fact name="Runs on">{model.device ?? 'The processor'}</Fact>
      <Fact name="Fingerprint">
        <Copyable text={model.fingerprint} what="fingerprint" />
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes['fact']}>
      <dt>{name}</dt>
      <dd className="numeric">{children}</dd>
    </div>
  )
}
