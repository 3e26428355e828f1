import type { LimitStates } from '../../../../src/protocol/key.ts'
import { formatCompact, formatCount } from '../../format/format.ts'
import { limitNames, type LimitName } from '../../limit-texts.ts'
import classes from './limit-bars.module.css'

const units: Readonly<Record<LimitName, string>> = {
  requests_per_minute: 'requests/min',
  tokens_per_minute: 'tokens/min',
  parallel_requests: 'at the same time',
  tokens_per_day: 'tokens today',
  tokens_per_month: 'tokens this month',
}
const nearlyAll = 0.9

/** How much of each limit is used now; limits that are not set are not shown. */
export function LimitBars({ use }: { use: LimitStates }) {
  const limited = limitNames.filter((name) => use[name] !== null)
  if (limited.length === 0) return <span className={classes['none']}>no limits</span>
  return (
    <ul className={classes['bars']}>
      {limited.map((name) => {
        const state = use[name]
        return state === null ? null : <Bar key={name} unit={units[name]} {...state} />
      })}
    </ul>
  )
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
          className={classes[share >= nearlyAll ? 'nearlyAll' : 'filled']}
          style={{ inlineSize: `${share * 100}%` }}
        />
      </span>
    </li>
  )
}
