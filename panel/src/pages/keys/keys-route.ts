import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../routing/layout-routes.tsx'

const states = ['active', 'expired', 'revoked', 'all'] as const
const sorts = ['name', 'created', 'last_used'] as const
const orders = ['asc', 'desc'] as const
const dialogs = ['create', 'edit', 'rotate', 'revoke'] as const

export type KeysSearch = {
  search?: string
  /** Left out: active. */
  state?: (typeof states)[number]
  /** Left out: created, the newest first. */
  sort?: (typeof sorts)[number]
  order?: (typeof orders)[number]
  /** From 1; left out: the first. */
  page?: number
  dialog?: (typeof dialogs)[number]
  /** Which key the dialog is about. */
  key?: string
}

/** What cannot be read means the default: a URL that somebody mistyped still opens. */
function validateSearch(given: Record<string, unknown>): KeysSearch {
  const state = states.find((one) => one === given['state'])
  const sort = sorts.find((one) => one === given['sort'])
  const order = orders.find((one) => one === given['order'])
  const dialog = dialogs.find((one) => one === given['dialog'])
  const { search, page, key } = given
  return {
    ...(isText(search) && { search: String(search) }),
    ...(state !== undefined && { state }),
    ...(sort !== undefined && { sort }),
    ...(order !== undefined && { order }),
    ...(typeof page === 'number' && Number.isSafeInteger(page) && page > 1 && { page }),
    ...(dialog !== undefined && { dialog }),
    ...(isText(key) && { key: String(key) }),
  }
}

/** The router reads a search for 42 as a number. */
function isText(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}

export const keysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/keys',
  validateSearch,
  component: lazyRouteComponent(() => import('./keys-page.tsx'), 'KeysPage'),
})
