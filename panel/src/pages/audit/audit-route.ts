import { createRoute } from '@tanstack/react-router'
import { adminRoute } from '../../routing/layout-routes.tsx'
import { lazyPage } from '../../components/page/lazy-page.tsx'

export const auditRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/audit',
  component: lazyPage(() => import('./audit-page.tsx'), 'AuditPage'),
})
