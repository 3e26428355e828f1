import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../routing/layout-routes.tsx'

export const modelRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/model',
  component: lazyRouteComponent(() => import('./model-page.tsx'), 'ModelPage'),
})
