const controls =
  'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"]), [data-page-heading]'

/** The parents of an element that had the focus, inmost first, each with the place of the child that led to it. */
type Path = readonly { parent: Element; place: number }[]

/**
 * Keeps the focus of keyboard users when the focused element is disabled or removed. A browser drops the focus then, and
 * the next Tab starts at the top of the page. A button that is loading gets the focus back. Otherwise the nearest control
 * gets it: the one in the same place, or else the first one of the closest part of the page.
 */
export function keepFocus(): void {
  let focused: { element: HTMLElement; path: Path } | undefined
  let usesKeyboard = false
  const restore = () => {
    if (focused === undefined || !usesKeyboard) return
    const { element, path } = focused
    const at = document.activeElement
    if ((at !== document.body && at !== element) || !document.hasFocus()) return
    if (isThere(element) && !element.matches(':disabled')) element.focus({ preventScroll: true })
    // A button that waits for the service comes back.
    else if (!isThere(element) || !element.hasAttribute('data-loading'))
      nearestControl(path)?.focus({ preventScroll: true })
  }
  const noteKey = ({ key }: KeyboardEvent) => {
    usesKeyboard = true
    // Tab moves the focus, also out of the page.
    if (key === 'Tab') focused = undefined
  }
  window.addEventListener('keydown', noteKey, { capture: true })
  window.addEventListener('pointerdown', () => (usesKeyboard = false), { capture: true })
  window.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) focused = { element: target, path: pathOf(target) }
  })
  new MutationObserver(restore).observe(document.body, {
    attributeFilter: ['disabled'],
    childList: true,
    subtree: true,
  })
}

/** Returns the path up to the body, which is no part of the page: a dialog is beside the page. */
function pathOf(element: Element): Path {
  const path = []
  for (let child = element; child.parentElement !== null; child = child.parentElement) {
    const parent = child.parentElement
    if (parent === document.body) break
    path.push({ parent, place: [...parent.children].indexOf(child) })
  }
  return path
}

function nearestControl(path: Path): HTMLElement | undefined {
  for (const { parent, place } of path) {
    if (!parent.isConnected) continue
    const { [place]: next, [place - 1]: previous } = parent.children
    for (const part of [next, previous, parent]) {
      const found = part && firstControl(part)
      if (found !== undefined) return found
    }
  }
  return undefined
}

function firstControl(part: Element): HTMLElement | undefined {
  return [part, ...part.querySelectorAll(controls)].find(
    (element): element is HTMLElement =>
      element instanceof HTMLElement &&
      element.matches(controls) &&
      !element.matches(':disabled') &&
      isThere(element),
  )
}

function isThere(element: HTMLElement): boolean {
  return element.isConnected && element.checkVisibility()
}
