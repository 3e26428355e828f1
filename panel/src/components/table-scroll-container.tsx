import { useEffect, useRef, useState, type ComponentPropsWithoutRef } from 'react'
import classes from './table-scroll-container.module.css'

type TableScrollContainerProps = ComponentPropsWithoutRef<'div'> & {
  /** Width in pixels below which the table scrolls instead of becoming narrower. */
  minWidth: number
  type?: 'native'
}

type Overflow = 'none' | 'more' | 'end'

/**
 * Lets a wide table scroll sideways, with a hint while columns are hidden. The build substitutes it for Mantine's
 * `Table.ScrollContainer`, which would add the code of custom scroll bars to every page with a table.
 */
export function TableScrollContainer({
  minWidth,
  type: _type,
  children,
  ...props
}: TableScrollContainerProps) {
  const container = useRef<HTMLDivElement>(null)
  const [overflow, setOverflow] = useState<Overflow>('none')
  useEffect(() => {
    const element = container.current
    if (element === null) return undefined
    const check = () => setOverflow(overflowOf(element))
    const observer = new ResizeObserver(check)
    observer.observe(element)
    element.addEventListener('scroll', check, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', check)
    }
  }, [])
  return (
    <div className={classes['frame']} data-overflow={overflow}>
      {overflow !== 'none' && (
        <p className={classes['cue']} aria-hidden="true">
          Scroll for more →
        </p>
      )}
      <div {...props} ref={container} className={classes['container']}>
        <div style={{ minWidth }}>{children}</div>
      </div>
    </div>
  )
}

const roundingPx = 4

function overflowOf({ scrollWidth, clientWidth, scrollLeft }: HTMLElement): Overflow {
  const hiddenPx = scrollWidth - clientWidth
  if (hiddenPx <= roundingPx) return 'none'
  return Math.abs(scrollLeft) < hiddenPx - roundingPx ? 'more' : 'end'
}
