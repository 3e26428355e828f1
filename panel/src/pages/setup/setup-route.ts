import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { publicRoute } from '../../layout-routes.tsx'

export const setupRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/setup',
  component: lazyRouteComponent(() => import('./setup-page.tsx'), 'SetupPage'),
})
