import classes from './sparkline.module.css'
import { toLine } from './speed-history.ts'

/** The last two minutes, for the eye only: the number stands beside it. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const points = toLine(values)
  return (
    <svg
      className={classes['sparkline']}
      viewBox="0 -4 100 108"
      preserveAspectRatio="none"
      aria-hidden
    >
      {points !== undefined && <polyline points={points} vectorEffect="non-scaling-stroke" />}
    </svg>
  )
}
