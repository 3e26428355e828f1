import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../routing/layout-routes.tsx'
import { parseUsageSearch } from './usage-search.ts'

export const usageRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/usage',
  validateSearch: parseUsageSearch,
  component: lazyRouteComponent(() => import('./usage-page.tsx'), 'UsagePage'),
})
