import { createRoute } from '@tanstack/react-router'
import { isOwnPath } from '../../auth/next-page.ts'
import { publicRoute } from '../../routing/layout-routes.tsx'
import { lazyPage } from '../../components/page/lazy-page.tsx'

type SignInSearch = {
  /** The page to open after the sign-in. */
  next?: string
  /** The error code of a failed OIDC sign-in. */
  error?: string
}

export const signInRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): SignInSearch => {
    const { next, error } = search
    return {
      ...(typeof next === 'string' && isOwnPath(next) && { next }),
      ...(typeof error === 'string' && { error }),
    }
  },
  component: lazyPage(() => import('./sign-in-page.tsx'), 'SignInPage'),
})
