import { keyLimits } from '../../../../src/key-limits.ts'
import type { LimitStates } from '../../../../src/protocol/key.ts'
import { formatCompact, formatCount } from '../../format/format.ts'
import classes from './limit-bars.module.css'

const nearlyUsedUp = 0.9

/** Usage of each limit that is set. */
export function LimitBars({ use }: { use: LimitStates }) {
  const bars = keyLimits.flatMap(({ wireName, unit }) => {
    const state = use[wireName]
    return state === null ? [] : [<Bar key={wireName} unit={unit} {...state} />]
  })
  if (bars.length === 0) return <span className={classes['none']}>No limits</span>
  return <ul className={classes['bars']}>{bars}</ul>
}

type BarProps = { limit: number; remaining: number; unit: string }

function Bar({ limit, remaining, unit }: BarProps) {
  const used = Math.max(0, limit - remaining)
  const share = Math.min(1, used / limit)
  return (
    <li className={classes['bar']} title={`${formatCount(used)} of ${formatCount(limit)} ${unit}`}>
      <span>
        {formatCompact(used)} / {formatCompact(limit)} {unit}
      </span>
      <span className={classes['track']} aria-hidden="true">
        <span
          className={classes[share >= nearlyUsedUp ? 'nearlyAll' : 'filled']}
          style={{ inlineSize: `${share * 100}%` }}
        />
      </span>
    </li>
  )
}
