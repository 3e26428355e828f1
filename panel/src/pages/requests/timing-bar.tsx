import { Text } from '@mantine/core'
import type { Receipt } from '../../../../src/protocol/receipt.ts'
import { formatDuration } from '../../format/format.ts'
import classes from './timing-bar.module.css'
import { timingOf, type TimingPart } from '../../receipt/timing-parts.ts'

const labels: Readonly<Record<TimingPart['name'], { name: string; meaning: string }>> = {
  queue: { name: 'Queue', meaning: 'waiting for a slot' },
  prefill: { name: 'Prefill', meaning: 'processing the prompt' },
  decode: { name: 'Decode', meaning: 'generating the reply' },
}

/** The time spent per phase, as a bar and as a list. */
export function TimingBar({ timing }: { timing: Receipt['timing'] }) {
  const spent = timingOf(timing)
  if (spent === undefined)
    return (
      <Text size="sm" c="dimmed">
        No timing: the request was refused, or it is still in progress.
      </Text>
    )
  return (
    <div className={classes['timing']}>
      <div className={classes['bar']} aria-hidden>
        {spent.parts
          .filter(({ ms }) => ms > 0)
          .map(({ name, percent }) => (
            <span key={name} className={classes[name]} style={{ flexGrow: percent }} />
          ))}
      </div>
      <dl className={`numeric ${classes['list']}`}>
        {spent.parts.map(({ name, ms }) => (
          <div key={name}>
            <dt>
              <span className={`${classes['swatch']} ${classes[name]}`} aria-hidden />
              {labels[name].name}
            </dt>
            <dd>
              <strong>{formatDuration(ms)}</strong> {labels[name].meaning}
            </dd>
          </div>
        ))}
        <div>
          <dt>Total</dt>
          <dd>
            <strong>{formatDuration(spent.totalMs)}</strong>
          </dd>
        </div>
      </dl>
    </div>
  )
}
