import type { createPanelRouter } from './router.ts'

/** A new page is announced and begun at its heading, as a loaded one would be. */
export function focusHeadingOnNavigation(router: ReturnType<typeof createPanelRouter>): void {
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (fromLocation === undefined || !pathChanged) return
    document.querySelector<HTMLElement>('[data-page-heading]')?.focus({ preventScroll: true })
  })
}
