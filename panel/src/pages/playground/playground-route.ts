import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../routing/layout-routes.tsx'

export const playgroundRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/playground',
  component: lazyRouteComponent(() => import('./playground-page.tsx'), 'PlaygroundPage'),
})
