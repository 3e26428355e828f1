import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { publicRoute } from '../../layout-routes.tsx'

export const signInRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/sign-in',
  /** `next`: where to go after it. */
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
    typeof next === 'string' && isOwnPath(next) ? { next } : {},
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
})

/** Never to another site: `//host` and `/\host` are other sites to a browser. */
function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])/.test(path)
}
