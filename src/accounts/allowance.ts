import { ServiceError } from '../errors.ts'
import {
  keyLimits,
  type LimitChanges,
  limitMax,
  limitMin,
  type Limits,
  type LimitWireName,
} from '../key-limits.ts'
import { type Scope, scopes } from './scopes.ts'

/** The limit columns of a row; null means unlimited. */
type LimitColumns = Readonly<Record<LimitWireName, number | null>>

export function toLimits(row: LimitColumns): Limits {
  const limits: { -readonly [Name in keyof Limits]: Limits[Name] } = {}
  for (const { name, wireName } of keyLimits) {
    const limit = row[wireName]
    if (limit !== null) limits[name] = limit
  }
  return limits
}

/** @throws ServiceError invalid_value */
export function toLimitColumns(changes: LimitChanges): Partial<LimitColumns> {
  const columns: { -readonly [Name in keyof LimitColumns]?: LimitColumns[Name] } = {}
  for (const { name, wireName } of keyLimits) {
    const limit = changes[name]
    if (limit !== undefined) columns[wireName] = requireLimit(name, limit)
  }
  return columns
}

/** @throws ServiceError invalid_value */
export function parseScopes(names: readonly string[]): Scope[] {
  const unknown = names.find((name) => !scopes.some((scope) => scope === name))
  if (unknown !== undefined || names.length === 0) {
    const wrong =
      unknown === undefined ? 'No scope was given' : `${JSON.stringify(unknown)} is not a scope`
    const text = `${wrong}. Give at least one of ${scopes.join(', ')}.`
    throw new ServiceError('invalid_value', text, { param: 'scopes' })
  }
  return scopes.filter((scope) => names.includes(scope))
}

/** Parses the `scopes` column: names separated by spaces; null stands for all scopes. */
export function toScopes(text: string | null): readonly Scope[] {
  return text === null ? scopes : scopes.filter((scope) => text.split(' ').includes(scope))
}

function requireLimit(name: string, limit: number | null): number | null {
  if (limit === null || (Number.isSafeInteger(limit) && limit >= limitMin && limit <= limitMax))
    return limit
  throw new ServiceError(
    'invalid_value',
    `${limit} is not a limit. Enter a whole number from ${limitMin} to ${limitMax}.`,
    { param: name },
  )
}
