import { createRoute } from '@tanstack/react-router'
import { adminRoute } from '../../routing/layout-routes.tsx'
import { lazyPage } from '../../components/page/lazy-page.tsx'

/** `search` is part of a name or e-mail address, or an account ID. */
type AccountsSearch = { search?: string }

export const accountsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/accounts',
  validateSearch: ({ search }: Record<string, unknown>): AccountsSearch =>
    typeof search === 'string' && search !== '' ? { search } : {},
  component: lazyPage(() => import('./accounts-page.tsx'), 'AccountsPage'),
})
