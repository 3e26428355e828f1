import { Progress, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { PanelLive } from '../../../../src/protocol/panel-live.ts'
import { formatCount, formatPercent, formatTokensPerSecond } from '../../format/format.ts'
import classes from './live-page.module.css'
import { Sparkline } from './sparkline.tsx'
import type { Sample } from './speed-history.ts'

type EngineViewProps = Pick<PanelLive, 'engine' | 'queue'> & { history: readonly Sample[] }

/** What the engine does now. */
export function EngineView({ engine, queue, history }: EngineViewProps) {
  const { cached_token_share: cached } = engine
  return (
    <div className={classes['tiles']}>
      <Tile name="Slots" value={`${engine.running} of ${engine.slots} busy`}>
        <Slots slots={engine.slots} running={engine.running} />
      </Tile>
      <Tile name="Queue" value={`${formatCount(queue.waiting)} waiting`}>
        <Progress
          value={(100 * queue.waiting) / queue.max}
          aria-label="How full the queue is"
          className={classes['queue']}
        />
        <Text size="xs" c="dimmed">
          Room for {formatCount(queue.max)}; what comes then is asked to come again.
        </Text>
      </Tile>
      <Tile name="Writing" value={formatTokensPerSecond(engine.completion_tokens_per_second)}>
        <Sparkline values={history.map(({ completionPerSecond }) => completionPerSecond)} />
      </Tile>
      <Tile name="Reading" value={formatTokensPerSecond(engine.prompt_tokens_per_second)}>
        <Sparkline values={history.map(({ promptPerSecond }) => promptPerSecond)} />
      </Tile>
      <Tile
        name="Cache hits"
        value={cached === null ? 'No prompts lately' : `${formatPercent(cached)} of prompt tokens`}
      >
        <Text size="xs" c="dimmed">
          Found in the KV cache and not read again.
        </Text>
      </Tile>
      <Tile name="Guessed tokens" value={formatCount(engine.guessed_tokens)}>
        <Text size="xs" c="dimmed">
          Written without a step of their own, since the start.
        </Text>
      </Tile>
    </div>
  )
}

function Tile({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <section className={classes['tile']} aria-label={name}>
      <h3 className={classes['name']}>{name}</h3>
      <p className={`numeric ${classes['value']}`}>{value}</p>
      {children}
    </section>
  )
}

/** A box a slot: a full one is busy. */
function Slots({ slots, running }: { slots: number; running: number }) {
  return (
    <div className={classes['slots']} aria-hidden>
      {Array.from({ length: slots }, (_, slot) => (
        <span key={slot} className={slot < running ? classes['busy'] : classes['free']} />
      ))}
    </div>
  )
}
