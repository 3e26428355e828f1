import { createRoute } from '@tanstack/react-router'
import { signedInRoute } from '../../routing/layout-routes.tsx'
import { lazyPage } from '../../components/page/lazy-page.tsx'

export const playgroundRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/playground',
  component: lazyPage(() => import('./playground-page.tsx'), 'PlaygroundPage'),
})
