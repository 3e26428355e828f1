import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { RouteError } from '../../components/page/route-error.tsx'
import { apiDocumentQuery } from '../../reference/api-document-query.ts'
import { lazyPage } from '../../components/page/lazy-page.tsx'
import { rootRoute } from '../../routing/root-route.tsx'
import { meQuery } from '../../session.ts'

/** The reference, for everyone. A signed-in user sees it in the panel's shell. */
const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/docs',
  beforeLoad: async ({ context: { queryClient }, cause }) => {
    if (cause === 'stay') return
    // Without a session, or at a host name that serves only the API, the page has no shell.
    await queryClient.ensureQueryData({ ...meQuery, retry: false }).catch(() => undefined)
  },
  component: lazyPage(() => import('./reference-frame.tsx'), 'ReferenceFrame'),
  errorComponent: RouteError,
})

const panesRoute = createRoute({
  getParentRoute: () => frameRoute,
  id: 'panes',
  loader: ({ context }) => context.queryClient.ensureQueryData(apiDocumentQuery),
  component: lazyPage(() => import('./reference-panes.tsx'), 'ReferencePanes'),
})

const introductionRoute = createRoute({
  getParentRoute: () => panesRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./introduction-page.tsx'), 'IntroductionPage'),
})
const guideRoute = createRoute({
  getParentRoute: () => panesRoute,
  path: '/$guide',
  component: lazyRouteComponent(() => import('./guide-page.tsx'), 'GuidePage'),
})
const operationRoute = createRoute({
  getParentRoute: () => panesRoute,
  path: '/operations/$operation',
  component: lazyRouteComponent(() => import('./operation-page.tsx'), 'OperationPage'),
})
const objectRoute = createRoute({
  getParentRoute: () => panesRoute,
  path: '/objects/$object',
  component: lazyRouteComponent(() => import('./object-page.tsx'), 'ObjectPage'),
})

export const referenceRoute = frameRoute.addChildren([
  panesRoute.addChildren([introductionRoute, guideRoute, operationRoute, objectRoute]),
])
