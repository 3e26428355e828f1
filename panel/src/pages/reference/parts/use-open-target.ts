import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Scrolls to the element named by the URL's hash, and expands it and the collapsed parts around it. */
export function useOpenTarget(): void {
  const { pathname, hash } = useLocation()
  useEffect(() => {
    const target = hash === '' ? null : document.getElementById(hash)
    if (target === null) return
    for (
      let outer: Element | null | undefined = target;
      outer !== null && outer !== undefined;
      outer = outer.parentElement?.closest('details')
    )
      if (outer instanceof HTMLDetailsElement) outer.open = true
    const own = target.querySelector(':scope > details')
    if (own instanceof HTMLDetailsElement) own.open = true
    target.scrollIntoView({ block: 'start' })
  }, [pathname, hash])
}
