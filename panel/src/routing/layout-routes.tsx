import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { ApiError } from '../api.ts'
import { RouteError } from '../components/page/route-error.tsx'
import { rootRoute } from './root-route.tsx'
import { meQuery } from '../session.ts'

/** Pages for those who are not signed in: one card in the middle. */
export const publicRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'public',
  component: lazyRouteComponent(() => import('../shell/public-layout.tsx'), 'PublicLayout'),
  errorComponent: RouteError,
})

/** Every other page. Without a session it leads to the sign-in, and from there back to where one was going. */
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
  component: lazyRouteComponent(() => import('../shell/shell.tsx'), 'Shell'),
  errorComponent: RouteError,
})

/** As above, for admins; others are told so. The service refuses them, whatever is shown here. */
export const adminRoute = createRoute({
  getParentRoute: () => signedInRoute,
  id: 'admin',
  component: lazyRouteComponent(() => import('../components/page/admin-only.tsx'), 'AdminOnly'),
})
