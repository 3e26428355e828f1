import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../layout-routes.tsx'

export const keysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/keys',
  component: lazyRouteComponent(() => import('./keys-page.tsx'), 'KeysPage'),
})
