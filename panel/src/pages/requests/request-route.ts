import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../routing/layout-routes.tsx'

export const requestRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/requests/$id',
  component: lazyRouteComponent(() => import('./request-page.tsx'), 'RequestPage'),
})
