import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { publicRoute } from '../../routing/layout-routes.tsx'

export const setupRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/setup',
  component: lazyRouteComponent(() => import('./setup-page.tsx'), 'SetupPage'),
})
