import { createRoute } from '@tanstack/react-router'
import { publicRoute } from '../../routing/layout-routes.tsx'
import { lazyPage } from '../../components/page/lazy-page.tsx'

export const resetPasswordRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: '/reset-password',
  component: lazyPage(() => import('./reset-password-page.tsx'), 'ResetPasswordPage'),
})
