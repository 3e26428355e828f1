import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { publicRoute } from '../../layout-routes.tsx'

type SignInSearch = {
  /** Where to go after it. */
  next?: string
  /** Why an organisation's sign-in page sent the browser back without a session. */
  error?: string
  error_description?: string
}

const reasonCharsMax = 200

export const signInRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): SignInSearch => {
    const { next, error, error_description: reason } = search
    return {
      ...(typeof next === 'string' && isOwnPath(next) && { next }),
      ...(typeof error === 'string' && { error: error.slice(0, reasonCharsMax) }),
      ...(typeof reason === 'string' && { error_description: reason.slice(0, reasonCharsMax) }),
    }
  },
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
})

/** Never to another site: `//host` and `/\host` are other sites to a browser. */
function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])/.test(path)
}
