import { type ComponentType, createElement, use } from 'react'
import { ApiError } from '../../api.ts'

const failures = new Set<() => void>()

/**
 * Returns a component that loads its code when it is first shown, or earlier by `preload`. If the code cannot be
 * loaded, it throws while it renders, so that the frame around the page stays.
 */
export function lazyPage<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
) {
  let loading: Promise<ComponentType> | undefined
  let loaded: ComponentType | undefined
  const start = (): Promise<ComponentType> => {
    if (loading !== undefined) return loading
    loading = load().then(
      (found) => (loaded = found[name]),
      () => {
        failures.add(() => (loading = undefined))
        throw new ApiError(
          0,
          'unreachable',
          'This page could not be loaded. Check that the service is running, then try again.',
        )
      },
    )
    // The component reports it.
    loading.catch(() => {})
    return loading
  }
  // `use` suspends for a promise that is kept, too, and React shows the next content of a suspended page only 300 ms later.
  const LazyPage = () => createElement(loaded ?? use(start()))
  return Object.assign(LazyPage, { preload: () => start().then(ignore, ignore) })
}

/** Lets the pages that could not be loaded try again when they are next shown. */
export function forgetFailedPages(): void {
  for (const forget of failures) forget()
  failures.clear()
}

function ignore(): void {}
