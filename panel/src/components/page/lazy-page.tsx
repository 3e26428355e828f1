import { type ComponentType, createElement, use } from 'react'
import { ApiError } from '../../api.ts'

const failures = new Set<() => void>()

/**
 * Returns a component that loads its code when it is first shown, or earlier through `preload`. If loading fails, the
 * component throws while it renders, so that the frame around the page stays.
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
    // The component reports the error when it renders.
    loading.catch(() => {})
    return loading
  }
  // Skips `use` once the code is loaded, because `use` suspends even for a fulfilled promise, and React shows the
  // content of a suspended page up to 300 ms later.
  const LazyPage = () => createElement(loaded ?? use(start()))
  return Object.assign(LazyPage, { preload: () => start().then(ignore, ignore) })
}

/** Lets pages whose code failed to load try again the next time they are shown. */
export function forgetFailedPages(): void {
  for (const forget of failures) forget()
  failures.clear()
}

function ignore(): void {}
