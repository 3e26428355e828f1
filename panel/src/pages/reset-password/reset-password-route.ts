import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { publicRoute } from '../../layout-routes.tsx'

export const resetPasswordRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./reset-password-page.tsx'), 'ResetPasswordPage'),
})
