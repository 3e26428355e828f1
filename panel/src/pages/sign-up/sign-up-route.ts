import { createRoute } from '@tanstack/react-router'
import { publicRoute } from '../../routing/layout-routes.tsx'
import { lazyPage } from '../../components/page/lazy-page.tsx'

export const signUpRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/sign-up',
  component: lazyPage(() => import('./sign-up-page.tsx'), 'SignUpPage'),
})
