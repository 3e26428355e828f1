import { useId, useState, type KeyboardEvent } from 'react'
import { formatDate, formatDateTime, formatRelative, formatUtc } from '../format/format-time.ts'
import { useNow } from '../format/use-now.ts'
import classes from './time.module.css'

/** A relative time changes at most once a minute. */
const relativeEveryMs = 30_000

type TimeProps = { ms: number; show?: 'date' | 'date-time' | 'relative' }

/** A time in the user's zone, with the exact UTC time in a tooltip. */
export function Time({ ms, show = 'date-time' }: TimeProps) {
  const id = useId()
  const [place, setPlace] = useState<Place>()
  const open = ({ currentTarget }: { currentTarget: HTMLElement }) =>
    setPlace(placeBelow(currentTarget))
  const close = () => setPlace(undefined)
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
  }
  return (
    <>
      <time
        dateTime={new Date(ms).toISOString()}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users can read the exact time
        tabIndex={0}
        aria-describedby={place && id}
        onPointerEnter={open}
        onPointerLeave={close}
        onFocus={open}
        onBlur={close}
        onKeyDown={closeOnEscape}
      >
        {show === 'date' && formatDate(ms)}
        {show === 'date-time' && formatDateTime(ms)}
        {show === 'relative' && <Relative ms={ms} />}
      </time>
      {place !== undefined && (
        <span
          id={id}
          role="tooltip"
          className={classes['tip']}
          style={place}
          // Popovers are in the top layer, so a scrolling table cannot clip them.
          popover="manual"
          ref={(element) => element?.showPopover()}
        >
          {formatUtc(ms)}
        </span>
      )}
    </>
  )
}

type Place = { left: number; top: number }

const gapPx = 6

function placeBelow(element: HTMLElement): Place {
  const { left, bottom } = element.getBoundingClientRect()
  return { left, top: bottom + gapPx }
}

function Relative({ ms }: { ms: number }) {
  return formatRelative(ms, useNow(relativeEveryMs))
}
