import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'

/** Distance from the end of the reply within which scrolling counts as following it. */
const nearPx = 48

/**
 * Scrolls the page so that the end of an element stays in view while its content grows. Scrolling up stops this;
 * scrolling down to the end, or a new reply, resumes it.
 * @param content changes whenever the element may have grown
 */
export function useFollow(
  element: RefObject<HTMLElement | null>,
  content: unknown,
  isRunning: boolean,
): void {
  const follows = useRef(false)
  useEffect(() => {
    follows.current = isRunning
    if (!isRunning) return undefined
    let topPx = window.scrollY
    const onScroll = () => {
      const isUp = window.scrollY < topPx
      topPx = window.scrollY
      // The page also scrolls up when it becomes shorter, but then the end of the element is in view.
      if (belowPx(element) <= nearPx) follows.current = true
      else if (isUp) follows.current = false
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => window.removeEventListener('scroll', onScroll)
  }, [element, isRunning])
  useLayoutEffect(() => {
    const hiddenPx = belowPx(element)
    if (follows.current && hiddenPx > 0) window.scrollBy({ top: hiddenPx, behavior: 'instant' })
  }, [element, content, isRunning])
}

/** Returns how far the element reaches below the window. */
function belowPx({ current }: RefObject<HTMLElement | null>): number {
  return current === null ? 0 : current.getBoundingClientRect().bottom - window.innerHeight
}
