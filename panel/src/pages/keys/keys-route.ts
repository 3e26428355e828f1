import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../routing/layout-routes.tsx'
import { parseKeysSearch } from './keys-search.ts'

export const keysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/keys',
  validateSearch: parseKeysSearch,
  component: lazyRouteComponent(() => import('./keys-page.tsx'), 'KeysPage'),
})
