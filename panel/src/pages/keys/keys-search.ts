import { keyFilters, keySorts, sortOrders } from '../../../../src/protocol/panel/values.ts'

const dialogs = ['create', 'edit', 'rotate', 'revoke'] as const

export type KeysSearch = {
  search?: string
  /** Default: active. */
  state?: (typeof keyFilters)[number]
  /** Default: created, newest first. */
  sort?: (typeof keySorts)[number]
  order?: (typeof sortOrders)[number]
  /** The page number from 1. Default: 1. */
  page?: number
  dialog?: (typeof dialogs)[number]
  /** The id of the dialog's key. */
  key?: string
}

/** Drops invalid parameters, so that a mistyped URL still opens. */
export function parseKeysSearch(given: Record<string, unknown>): KeysSearch {
  const state = keyFilters.find((one) => one === given['state'])
  const sort = keySorts.find((one) => one === given['sort'])
  const order = sortOrders.find((one) => one === given['order'])
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

/** Accepts numbers too, because the router parses a search for 42 as a number. */
function isText(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}
