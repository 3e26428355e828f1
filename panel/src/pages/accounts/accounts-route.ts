import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { adminRoute } from '../../layout-routes.tsx'

export const accountsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/accounts',
  component: lazyRouteComponent(() => import('./accounts-page.tsx'), 'AccountsPage'),
})
