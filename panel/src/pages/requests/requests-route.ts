import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../routing/layout-routes.tsx'
import { parseRequestsSearch } from './requests-search.ts'

export const requestsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/requests',
  validateSearch: parseRequestsSearch,
  component: lazyRouteComponent(() => import('./requests-page.tsx'), 'RequestsPage'),
})
