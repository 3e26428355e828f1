import { createRoute } from '@tanstack/react-router'
import { signedInRoute } from '../../routing/layout-routes.tsx'
import { lazyPage } from '../../components/page/lazy-page.tsx'

export const requestRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/requests/$id',
  component: lazyPage(() => import('./request-page.tsx'), 'RequestPage'),
})
