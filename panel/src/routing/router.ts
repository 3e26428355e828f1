import type { QueryClient } from '@tanstack/react-query'
import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { adminRoute, publicRoute, signedInRoute } from './layout-routes.tsx'
import { RouteError } from '../components/page/route-error.tsx'
import { accountsRoute } from '../pages/accounts/accounts-route.ts'
import { auditRoute } from '../pages/audit/audit-route.ts'
import { keysRoute } from '../pages/keys/keys-route.ts'
import { liveRoute } from '../pages/live/live-route.ts'
import { modelRoute } from '../pages/model/model-route.ts'
import { playgroundRoute } from '../pages/playground/playground-route.ts'
import { quickStartRoute } from '../pages/quick-start/quick-start-route.ts'
import { referenceRoute } from '../pages/reference/reference-routes.ts'
import { replicasRoute } from '../pages/replicas/replicas-route.ts'
import { requestsRoute } from '../pages/requests/requests-route.ts'
import { resetPasswordRoute } from '../pages/reset-password/reset-password-route.ts'
import { settingsRoute } from '../pages/settings/settings-route.ts'
import { setupRoute } from '../pages/setup/setup-route.ts'
import { signInRoute } from '../pages/sign-in/sign-in-route.ts'
import { signUpRoute } from '../pages/sign-up/sign-up-route.ts'
import { spendingRoute } from '../pages/spending/spending-route.ts'
import { usageRoute } from '../pages/usage/usage-route.ts'
import { requestRoute } from '../pages/requests/request-route.ts'
import { rootRoute } from './root-route.tsx'

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/keys' })
  },
})

const routeTree = rootRoute.addChildren([
  homeRoute,
  referenceRoute,
  publicRoute.addChildren([setupRoute, signInRoute, signUpRoute, resetPasswordRoute]),
  signedInRoute.addChildren([
    keysRoute,
    usageRoute,
    requestsRoute,
    requestRoute,
    playgroundRoute,
    liveRoute,
    modelRoute,
    quickStartRoute,
    settingsRoute,
    adminRoute.addChildren([accountsRoute, spendingRoute, auditRoute, replicasRoute]),
  ]),
])

export function createPanelRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    // Fetches a page's code when its link is hovered or focused.
    defaultPreload: 'intent',
    // A page that fails keeps the frame around it.
    defaultErrorComponent: RouteError,
    scrollRestoration: true,
    // Drops query parameters that a route does not validate.
    search: { strict: true },
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPanelRouter>
  }
}
