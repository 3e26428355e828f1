import { createRoute } from '@tanstack/react-router'
import { adminRoute } from '../../routing/layout-routes.tsx'
import { lazyPage } from '../../components/page/lazy-page.tsx'

export const replicasRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/replicas',
  component: lazyPage(() => import('./replicas-page.tsx'), 'ReplicasPage'),
})
