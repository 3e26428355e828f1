import { createRoute } from '@tanstack/react-router'
import { publicRoute } from '../../routing/layout-routes.tsx'
import { lazyPage } from '../../components/page/lazy-page.tsx'

export const setupRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/setup',
  component: lazyPage(() => import('./setup-page.tsx'), 'SetupPage'),
})
