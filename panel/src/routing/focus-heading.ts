import type { createPanelRouter } from './router.ts'

/** A new page is announced and begun at its heading, unless it has put the focus into a field itself. */
export function focusHeadingOnNavigation(router: ReturnType<typeof createPanelRouter>): void {
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (fromLocation === undefined || !pathChanged) return
    if (document.activeElement instanceof HTMLInputElement) return
    document.querySelector<HTMLElement>('[data-page-heading]')?.focus({ preventScroll: true })
  })
}
