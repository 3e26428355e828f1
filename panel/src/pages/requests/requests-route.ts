import { createRoute } from '@tanstack/react-router'
import { signedInRoute } from '../../routing/layout-routes.tsx'
import { parseRequestsSearch } from './requests-search.ts'
import { lazyPage } from '../../components/page/lazy-page.tsx'

export const requestsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/requests',
  validateSearch: parseRequestsSearch,
  component: lazyPage(() => import('./requests-page.tsx'), 'RequestsPage'),
})
