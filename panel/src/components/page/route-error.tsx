import type { ErrorComponentProps } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import { Page } from './page.tsx'
import { ErrorState } from './states.tsx'

/** A page that could not be shown at all. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <Page title="This page could not be shown">
      <ErrorState
        error={error instanceof Error ? error : new Error(String(error))}
        onRetry={() => {
          reset()
          void router.invalidate()
        }}
      />
    </Page>
  )
}
