import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { publicRoute } from '../../routing/layout-routes.tsx'

type SignInSearch = {
  /** Where to go after it. */
  next?: string
  /** Why an organisation's sign-in page sent the browser back without a session. */
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
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
})

/** Never to another site: browsers read `//host`, `/\host` and more as one. */
function isOwnPath(path: string): boolean {
  const { origin } = window.location
  return path.startsWith('/') && URL.parse(path, origin)?.origin === origin
}
