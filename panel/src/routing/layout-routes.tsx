import { createRoute, redirect } from '@tanstack/react-router'
import { ApiError } from '../api.ts'
import { RouteError } from '../components/page/route-error.tsx'
import { rootRoute } from './root-route.tsx'
import { meQuery } from '../session.ts'
import { lazyPage } from '../components/page/lazy-page.tsx'

/** The layout of pages that need no session: one card in the middle. */
export const publicRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'public',
  component: lazyPage(() => import('../shell/public-layout.tsx'), 'PublicLayout'),
  errorComponent: RouteError,
})

/**
 * The layout of pages that need a session. Without a session, redirects to the sign-in page, which later returns to the
 * requested page.
 */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queryClient.ensureQueryData(meQuery)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      throw redirect({ to: '/sign-in', search: { next: location.href } })
    }
  },
  component: lazyPage(() => import('../shell/shell.tsx'), 'Shell'),
  errorComponent: RouteError,
})

/** The layout of pages for admins. Members see a notice; the service itself enforces the role. */
export const adminRoute = createRoute({
  getParentRoute: () => signedInRoute,
  id: 'admin',
  component: lazyPage(() => import('../components/page/admin-only.tsx'), 'AdminOnly'),
})
