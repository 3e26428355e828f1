import { keyLimits } from '../../../../src/key-limits.ts'
import type { LimitStates } from '../../../../src/protocol/key.ts'
import { formatCompact, formatCount } from '../../format/format.ts'
import classes from './limit-bars.module.css'

const nearlyUsedUp = 0.9

/** Usage of each limit that is set. On phones, all but the one nearest to its end are rare. */
export function LimitBars({ use }: { use: LimitStates }) {
  const bars = keyLimits.flatMap(({ wireName, unit }) => {
    const state = use[wireName]
    if (state === null) return []
    const { limit } = state
    const used = Math.max(0, limit - state.remaining)
    return [{ name: wireName, unit, limit, used, share: Math.min(1, used / limit) }]
  })
  if (bars.length === 0) return <span className={classes['none']}>No limits</span>
  const fullest = Math.max(...bars.map(({ share }) => share))
  const shown = bars.findIndex(({ share }) => share === fullest)
  return (
    <ul className={classes['bars']}>
      {bars.map(({ name, ...bar }, index) => (
        <Bar key={name} {...bar} isRare={index !== shown} />
      ))}
    </ul>
  )
}

type BarProps = {
  limit: number
  used: number
  /** `used` as a part of `limit`, at most 1. */
  share: number
  unit: string
  isRare: boolean
}

function Bar({ limit, used, share, unit, isRare }: BarProps) {
  return (
    <li
      className={classes['bar']}
      data-rare={isRare}
      title={`${formatCount(used)} of ${formatCount(limit)} ${unit}`}
    >
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
