import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { publicRoute } from '../../routing/layout-routes.tsx'

export const resetPasswordRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./reset-password-page.tsx'), 'ResetPasswordPage'),
})
