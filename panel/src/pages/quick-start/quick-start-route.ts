import { createRoute } from '@tanstack/react-router'
import { signedInRoute } from '../../routing/layout-routes.tsx'
import { lazyPage } from '../../components/page/lazy-page.tsx'

export const quickStartRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/quick-start',
  /** `key` is the id of the key that the steps name. */
  validateSearch: ({ key }: Record<string, unknown>): { key?: string } =>
    typeof key === 'string' ? { key } : {},
  component: lazyPage(() => import('./quick-start-page.tsx'), 'QuickStartPage'),
})
