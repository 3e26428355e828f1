import { Progress, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { PanelLive } from '../../../../src/protocol/panel-live.ts'
import { formatCount, formatPercent, formatTokensPerSecond } from '../../format/format.ts'
import classes from './live-page.module.css'
import { Sparkline } from './sparkline.tsx'
import type { Sample } from './speed-history.ts'

type EngineViewProps = Pick<PanelLive, 'engine' | 'queue'> & { history: readonly Sample[] }

/** The engine's current load and speed. */
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
          aria-label="Queue fill level"
          className={classes['queue']}
        />
        <Text size="xs" c="dimmed">
          Holds up to {formatCount(queue.max)}, fewer of one key or account. A request that would
          wait too long is refused, too.
        </Text>
      </Tile>
      <Tile
        name="Completion speed"
        value={formatTokensPerSecond(engine.completion_tokens_per_second)}
      >
        <Sparkline history={history} speed="completionPerSecond" />
      </Tile>
      <Tile name="Prompt speed" value={formatTokensPerSecond(engine.prompt_tokens_per_second)}>
        <Sparkline history={history} speed="promptPerSecond" />
      </Tile>
      <Tile
        name="Cache hits"
        value={cached === null ? 'No recent prompts' : `${formatPercent(cached)} of prompt tokens`}
      >
        <Text size="xs" c="dimmed">
          Reused from the KV cache instead of computed.
        </Text>
      </Tile>
      <Tile name="Speculative tokens accepted" value={formatCount(engine.speculative_tokens)}>
        <Text size="xs" c="dimmed">
          Since the service started.
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

/** One box per slot, filled while the slot is busy. */
function Slots({ slots, running }: { slots: number; running: number }) {
  return (
    <div className={classes['slots']} aria-hidden>
      {Array.from({ length: slots }, (_, slot) => (
        <span key={slot} className={slot < running ? classes['busy'] : classes['free']} />
      ))}
    </div>
  )
}
