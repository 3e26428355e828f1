import classes from './sparkline.module.css'
import { type Sample, type Speed, toLine } from './speed-history.ts'

/** The last two minutes as a line. Hidden from screen readers, which read the number beside it. */
export function Sparkline({ history, speed }: { history: readonly Sample[]; speed: Speed }) {
  const line = toLine(history, speed)
  return (
    <svg
      className={classes['sparkline']}
      viewBox="0 -4 100 108"
      preserveAspectRatio="none"
      aria-hidden
    >
      {line !== undefined && <path d={line} vectorEffect="non-scaling-stroke" />}
    </svg>
  )
}
