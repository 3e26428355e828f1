import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../layout-routes.tsx'

export const usageRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/usage',
  component: lazyRouteComponent(() => import('./usage-page.tsx'), 'UsagePage'),
})
