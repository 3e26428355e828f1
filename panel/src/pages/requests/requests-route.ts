import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../layout-routes.tsx'

export const requestsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/requests',
  component: lazyRouteComponent(() => import('./requests-page.tsx'), 'RequestsPage'),
})
