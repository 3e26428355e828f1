import { byWireName, keyLimits, type Limits, type LimitWireName } from '../key-limits.ts'
import type { Database } from '../storage/database.ts'
import type { Statement } from '../storage/statement.ts'
import type { ApiKeyRow } from '../storage/tables.ts'
import type { Urgency } from '../storage/unit.ts'
import { toLimits } from './allowance.ts'

/** The row of a key after a write, with the columns of its account that its requests need. */
export type WrittenKey = ApiKeyRow & {
  account_name: string
  account_disabled_ms: number | null
} & { [Name in LimitWireName as `account_${Name}`]: number | null }

const accountColumns = ['name', 'disabled_ms', ...keyLimits.map(({ wireName }) => wireName)]

/** Uses subqueries, because SQLite allows no join after RETURNING. */
const returning = [
  'returning *',
  ...accountColumns.map(
    (name) => `(select ${name} from accounts where id = api_keys.account_id) as account_${name}`,
  ),
].join(', ')

/**
 * Inserts or updates one key. Runs `steps` only if that changes a row; otherwise returns undefined.
 * @throws ServiceError ledger_unavailable
 */
export async function writeKey(
  database: Database,
  { sql, parameters }: Statement,
  steps: readonly Statement[],
  urgency?: Urgency,
): Promise<WrittenKey | undefined> {
  const statement = { sql: `${sql} ${returning}`, parameters }
  const [row] = await database.writeReturning(statement, steps, urgency)
  // The RETURNING clause selects exactly the columns of this type.
  return row as WrittenKey | undefined
}

/** Returns false for a key that is revoked or whose account is disabled. An expired key counts as usable. */
export function isUsable(row: WrittenKey): boolean {
  return row.revoked_ms === null && row.account_disabled_ms === null
}

export function toAccountLimits(row: WrittenKey): Limits {
  return toLimits(byWireName(({ wireName }) => row[`account_${wireName}`]))
}
