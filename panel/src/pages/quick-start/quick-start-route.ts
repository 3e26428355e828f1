import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../layout-routes.tsx'

export const quickStartRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/quick-start',
  component: lazyRouteComponent(() => import('./quick-start-page.tsx'), 'QuickStartPage'),
})
