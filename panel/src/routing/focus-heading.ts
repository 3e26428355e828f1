import type { AnyRouter } from '@tanstack/react-router'

/** Focuses the heading after a navigation, so that screen readers announce it, unless the page focused a field. */
export function focusHeadingOnNavigation(router: Pick<AnyRouter, 'subscribe'>): void {
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (fromLocation === undefined || !pathChanged) return
    if (document.activeElement instanceof HTMLInputElement) return
    document.querySelector<HTMLElement>('[data-page-heading]')?.focus({ preventScroll: true })
  })
}
