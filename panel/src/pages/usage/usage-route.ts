import { createRoute } from '@tanstack/react-router'
import { signedInRoute } from '../../routing/layout-routes.tsx'
import { parseUsageSearch } from './usage-search.ts'
import { lazyPage } from '../../components/page/lazy-page.tsx'

export const usageRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/usage',
  validateSearch: parseUsageSearch,
  component: lazyPage(() => import('./usage-page.tsx'), 'UsagePage'),
})
