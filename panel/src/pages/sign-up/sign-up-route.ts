import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { publicRoute } from '../../routing/layout-routes.tsx'

export const signUpRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/sign-up',
  component: lazyRouteComponent(() => import('./sign-up-page.tsx'), 'SignUpPage'),
})
