import { createRoute } from '@tanstack/react-router'
import { adminRoute } from '../../routing/layout-routes.tsx'
import { lazyPage } from '../../components/page/lazy-page.tsx'

export const spendingRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/spending',
  component: lazyPage(() => import('./spending-page.tsx'), 'SpendingPage'),
})
