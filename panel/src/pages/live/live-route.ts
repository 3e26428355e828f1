import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../routing/layout-routes.tsx'

export const liveRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/live',
  component: lazyRouteComponent(() => import('./live-page.tsx'), 'LivePage'),
})
