import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { adminRoute } from '../../routing/layout-routes.tsx'

/** `search`: in the name or the e-mail address. */
type AccountsSearch = { search?: string }

export const accountsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/accounts',
  validateSearch: ({ search }: Record<string, unknown>): AccountsSearch =>
    typeof search === 'string' && search !== '' ? { search } : {},
  component: lazyRouteComponent(() => import('./accounts-page.tsx'), 'AccountsPage'),
})
