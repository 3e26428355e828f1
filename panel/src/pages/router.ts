import type { QueryClient } from '@tanstack/react-query'
import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { takeNextPage } from '../auth/next-page.ts'
import { adminRoute, publicRoute, signedInRoute } from '../routing/layout-routes.tsx'
import { RouteError } from '../components/page/route-error.tsx'
import { accountsRoute } from './accounts/accounts-route.ts'
import { auditRoute } from './audit/audit-route.ts'
import { keysRoute } from './keys/keys-route.ts'
import { liveRoute } from './live/live-route.ts'
import { modelRoute } from './model/model-route.ts'
import { playgroundRoute } from './playground/playground-route.ts'
import { quickStartRoute } from './quick-start/quick-start-route.ts'
import { referenceRoute } from './reference/reference-routes.ts'
import { replicasRoute } from './replicas/replicas-route.ts'
import { requestsRoute } from './requests/requests-route.ts'
import { resetPasswordRoute } from './reset-password/reset-password-route.ts'
import { settingsRoute } from './settings/settings-route.ts'
import { setupRoute } from './setup/setup-route.ts'
import { signInRoute } from './sign-in/sign-in-route.ts'
import { signUpRoute } from './sign-up/sign-up-route.ts'
import { spendingRoute } from './spending/spending-route.ts'
import { usageRoute } from './usage/usage-route.ts'
import { requestRoute } from './requests/request-route.ts'
import { rootRoute } from '../routing/root-route.tsx'

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ href: takeNextPage() ?? '/keys' })
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
    // If a page fails, the frame around it stays.
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
