import { Text } from '@mantine/core'
import type { Receipt } from '../../../../src/protocol/receipt.ts'
import { formatDuration } from '../../format/format.ts'
import classes from './timing-bar.module.css'
import { timingOf, type TimingPart } from './timing-parts.ts'

const words: Readonly<Record<TimingPart['name'], { name: string; meaning: string }>> = {
  queue: { name: 'Queue', meaning: 'until a slot was free' },
  prefill: { name: 'Prefill', meaning: 'reading the prompt' },
  decode: { name: 'Decode', meaning: 'writing the reply' },
}

/** Where the time went: the bar for the eye, the list for reading. */
export function TimingBar({ timing }: { timing: Receipt['timing'] }) {
  const spent = timingOf(timing)
  if (spent === undefined)
    return (
      <Text size="sm" c="dimmed">
        Not measured: the request did not come so far, or it still runs.
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
              {words[name].name}
            </dt>
            <dd>
              <strong>{formatDuration(ms)}</strong> {words[name].meaning}
            </dd>
          </div>
        ))}
        <div>
          <dt>All together</dt>
          <dd>
            <strong>{formatDuration(spent.totalMs)}</strong>
          </dd>
        </div>
      </dl>
    </div>
  )
}
