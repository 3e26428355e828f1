import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { PanelLive } from '../../../../src/protocol/panel-live.ts'
import { Copyable } from '../../components/copyable.tsx'
import { Tag } from '../../components/tag.tsx'
import { Time } from '../../components/time.tsx'
import { formatCount } from '../../format/format.ts'
import classes from './live-page.module.css'

const engineStates = {
  loading: { label: 'Loading model', color: 'yellow' },
  ready: { label: 'Ready', color: 'green' },
  restarting: { label: 'Restarting after a failure', color: 'red' },
  closed: { label: 'Stopped', color: 'gray' },
} as const satisfies Record<PanelLive['engine']['state'], object>

/** Health, start time and version of the service. */
export function ServiceView({ live }: { live: PanelLive }) {
  const { engine, service } = live
  const { label, color } = engineStates[engine.state]
  return (
    <dl className={classes['facts']}>
      <Fact name="Engine">
        <Tag color={color}>{label}</Tag>
      </Fact>
      <Fact name="Requests">
        {service.accepting ? (
          <Tag color="green">Accepting</Tag>
        ) : (
          <Tag color="yellow">Refused: shutting down</Tag>
        )}
      </Fact>
      <Fact name="Ledger">
        {service.ledger_healthy ? (
          <Tag color="green">OK</Tag>
        ) : (
          <Tag color="red">Not writable: check the disk or PostgreSQL, and the log</Tag>
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

/** A summary of the model, with a link to the Model page. */
export function ModelView({ model }: Pick<PanelLive, 'model'>) {
  return (
    <dl className={classes['facts']}>
      <Fact name="Name">
        <code>{model.id}</code>
      </Fact>
      <Fact name="Context window">{formatCount(model.context_tokens)} tokens</Fact>
      <Fact name="Fingerprint">
        <Copyable text={model.fingerprint} what="fingerprint" />
      </Fact>
      <Fact name="Details">
        <Anchor component={Link} to="/model" inherit>
          Model and hardware
        </Anchor>
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
