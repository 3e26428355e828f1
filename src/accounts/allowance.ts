import { ServiceError } from '../errors.ts'
import { limitMax } from '../limits.ts'
import type { LimitColumns } from '../storage/tables.ts'

/** `chat`: completions and their pre-flight. `read`: receipts. Models and the key itself are open to any key. */
export const scopes = ['chat', 'read'] as const
export type Scope = (typeof scopes)[number]

const columns = {
  requestsPerMinute: 'requests_per_minute',
  tokensPerMinute: 'tokens_per_minute',
  parallelRequests: 'parallel_requests',
  tokensPerDay: 'tokens_per_day',
  tokensPerMonth: 'tokens_per_month',
} as const satisfies Record<string, keyof LimitColumns>

export type LimitName = keyof typeof columns
export const limitNames = Object.keys(columns) as LimitName[]

/** Of a key or of an account; what is absent is not limited. */
export type Limits = Readonly<Partial<Record<LimitName, number>>>

/** Null takes a limit away; what is absent stays as it is. */
export type LimitChanges = Readonly<Partial<Record<LimitName, number | null>>>

export function toLimits(row: LimitColumns): Limits {
  const present = limitNames.filter((name) => row[columns[name]] !== null)
  return Object.fromEntries(present.map((name) => [name, row[columns[name]]]))
}

/** @throws ServiceError invalid_value */
export function toLimitColumns(changes: LimitChanges): Partial<LimitColumns> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, limit]) => [
      columns[name as LimitName],
      requireLimit(name, limit),
    ]),
  )
}

/** @throws ServiceError invalid_value */
export function parseScopes(names: readonly string[]): Scope[] {
  const unknown = names.find((name) => !scopes.some((scope) => scope === name))
  if (unknown !== undefined || names.length === 0)
    throw new ServiceError(
      'invalid_value',
      `A key has one or more of the scopes ${scopes.join(', ')}, not ${JSON.stringify(unknown ?? '')}.`,
      { param: 'scopes' },
    )
  return scopes.filter((scope) => names.includes(scope))
}

/** As the column has them; null there: all. */
export function toScopes(text: string | null): readonly Scope[] {
  return text === null ? scopes : scopes.filter((scope) => text.split(' ').includes(scope))
}

function requireLimit(name: string, limit: number | null): number | null {
  if (limit === null || (Number.isSafeInteger(limit) && limit >= 1 && limit <= limitMax))
    return limit
  throw new ServiceError(
    'invalid_value',
    `A limit is a whole number from 1 to ${limitMax}, not ${limit}.`,
    { param: name },
  )
}
