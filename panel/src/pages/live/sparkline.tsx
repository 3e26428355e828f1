import classes from './sparkline.module.css'
import { toLine } from './speed-history.ts'

/** The last two minutes as a line. Hidden from screen readers, which read the number beside it. */
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
