import type { ErrorComponentProps } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import { forgetFailedPages } from './lazy-page.tsx'
import { Page } from './page.tsx'
import { ErrorState } from './states.tsx'

/** Shown when a page fails to load. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <Page title="Could not load this page">
      <ErrorState
        error={error instanceof Error ? error : new Error(String(error))}
        onRetry={() => {
          forgetFailedPages()
          reset()
          void router.invalidate()
        }}
      />
    </Page>
  )
}
