import { createRoute } from '@tanstack/react-router'
import { signedInRoute } from '../../routing/layout-routes.tsx'
import { parseKeysSearch } from './keys-search.ts'
import { lazyPage } from '../../components/page/lazy-page.tsx'

export const keysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/keys',
  validateSearch: parseKeysSearch,
  component: lazyPage(() => import('./keys-page.tsx'), 'KeysPage'),
})
