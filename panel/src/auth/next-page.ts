const storageKey = 'pipit.next'

/** Keeps the page to open after a sign-in with OIDC, which leaves the panel and comes back to its home page. */
export function keepNextPage(path: string): void {
  try {
    sessionStorage.setItem(storageKey, path)
  } catch {
    // The storage is full: the home page opens instead.
  }
}

/** Returns the kept page, once. */
export function takeNextPage(): string | undefined {
  const path = sessionStorage.getItem(storageKey)
  sessionStorage.removeItem(storageKey)
  return path !== null && isOwnPath(path) ? path : undefined
}

/** Returns whether a path stays on this origin. Browsers resolve `//host`, `/\host` and the like to other sites. */
export function isOwnPath(path: string): boolean {
  const { origin } = window.location
  return path.startsWith('/') && URL.parse(path, origin)?.origin === origin
}
