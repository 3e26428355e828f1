// Values of the panel's API that the panel's forms and lists need too.

export const receiptStatuses = [
  'in_progress',
  'completed',
  'cancelled',
  'refused',
  'failed',
] as const

export const keyStates = ['active', 'expired', 'revoked'] as const
/** Values of the filter on a list of keys. */
export const keyFilters = [...keyStates, 'all'] as const
export const keySorts = ['name', 'created', 'last_used'] as const
export const sortOrders = ['asc', 'desc'] as const

/** Keys on one page of a list: the default and the maximum. */
export const keysListedDefault = 50
export const keysListedMax = 200

/** Points in one response about usage. */
export const usagePointsMax = 1500

/** Maximum number of receipts in one download. Older ones are left out. */
export const receiptsExportedMax = 10_000
