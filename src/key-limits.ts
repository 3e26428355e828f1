/**
 * The limits that an API key and an account can have. This table is the only source for the column types, enforcement,
 * the API's schemas, the command line's options and the panel's form. A new limit needs a new row and a migration that
 * adds its columns. The panel's bundle contains this file, so it imports nothing.
 */
type LimitRow = {
  /** Name inside the service and in the JSON of the command line. */
  name: string
  /** Name in the API and of the column in `accounts` and `api_keys`. The command-line option has hyphens instead. */
  wireName: string
  /** Label in the panel's form. */
  label: string
  /** Short unit that follows the numbers in the panel's table of keys. */
  unit: string
  /** Completes “Limit on …” in help texts and in the API reference. */
  description: string
} & (
  | { counts: 'requests'; window: 'parallel' }
  | { counts: 'requests' | 'tokens'; window: 'minute' | 'day' | 'month' }
)

export const keyLimits = [
  {
    name: 'requestsPerMinute',
    wireName: 'requests_per_minute',
    label: 'Requests per minute',
    unit: 'requests/min',
    description: 'requests per minute',
    counts: 'requests',
    window: 'minute',
  },
  {
    name: 'tokensPerMinute',
    wireName: 'tokens_per_minute',
    label: 'Tokens per minute',
    unit: 'tokens/min',
    description: 'prompt and completion tokens per minute',
    counts: 'tokens',
    window: 'minute',
  },
  {
    name: 'parallelRequests',
    wireName: 'parallel_requests',
    label: 'Parallel requests',
    unit: 'parallel requests',
    description: 'requests that run at the same time',
    counts: 'requests',
    window: 'parallel',
  },
  {
    name: 'tokensPerDay',
    wireName: 'tokens_per_day',
    label: 'Tokens per day',
    unit: 'tokens today',
    description: 'prompt and completion tokens per day (UTC)',
    counts: 'tokens',
    window: 'day',
  },
  {
    name: 'tokensPerMonth',
    wireName: 'tokens_per_month',
    label: 'Tokens per month',
    unit: 'tokens this month',
    description: 'prompt and completion tokens per month (UTC)',
    counts: 'tokens',
    window: 'month',
  },
] as const satisfies readonly LimitRow[]

/** Bounds of every limit. */
export const limitMin = 1
export const limitMax = 1_000_000_000

export type KeyLimit = (typeof keyLimits)[number]
export type LimitName = KeyLimit['name']
export type LimitWireName = KeyLimit['wireName']

/** Limits of a key or an account; an absent limit means unlimited. */
export type Limits = Readonly<Partial<Record<LimitName, number>>>

/** Changes of limits: null removes a limit; an absent one stays unchanged. */
export type LimitChanges = Readonly<Partial<Record<LimitName, number | null>>>

/** Returns one value for each limit, by its `wireName`. */
export function byWireName<Value>(
  valueOf: (limit: KeyLimit) => Value,
): Record<LimitWireName, Value> {
  const entries = keyLimits.map((limit) => [limit.wireName, valueOf(limit)] as const)
  // The cast is safe: the table has every wire name.
  return Object.fromEntries(entries) as Record<LimitWireName, Value>
}
