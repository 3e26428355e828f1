import type { Database } from '../../storage/database.ts'
import { queries } from '../../storage/statement.ts'
import { startOfNextMonth } from '../../usage/utc-periods.ts'
import { sql } from 'kysely'
import type { PriceList } from '../prices/price-list.ts'
import type { Budget } from './budgets.ts'

/** Usage that counts against a budget, in tokens or in 10^-12 of its currency. */
export type BudgetUse = { budget: Budget; used: bigint }

const picosPerMicro = 1_000_000n

/**
 * Returns what the accounts of the budgets have used in a UTC month.
 * @throws ServiceError ledger_unavailable
 */
export async function readBudgetUse(
  database: Database,
  budgets: readonly Budget[],
  prices: PriceList,
  monthMs: number,
): Promise<BudgetUse[]> {
  const tokens = new Map<string, bigint>()
  const costs = new Map<string, bigint>()
  const accounts = JSON.stringify(budgets.map(({ accountId }) => accountId))
  const days = await database.readAside(selectDays(accounts, monthMs))
  for (const { accountId, beginMs, ...used } of days) {
    const sum = BigInt(used.promptTokens) + BigInt(used.completionTokens)
    tokens.set(accountId, (tokens.get(accountId) ?? 0n) + sum)
    costs.set(accountId, (costs.get(accountId) ?? 0n) + (prices.cost(beginMs, used) ?? 0n))
  }
  return budgets.map((budget) => ({ budget, used: usedOf(budget) }))

  function usedOf({ kind, accountId, currency }: Budget): bigint {
    if (kind === 'tokens') return tokens.get(accountId) ?? 0n
    // If the currency of the prices has changed, no use is counted until the budget is set again.
    return currency === prices.currency ? (costs.get(accountId) ?? 0n) : 0n
  }
}

/** Returns the use as a whole percentage of the budget, rounded down. */
export function percentOf({ budget, used }: BudgetUse): number {
  const whole = BigInt(budget.amount) * (budget.kind === 'money' ? picosPerMicro : 1n)
  return Number((used * 100n) / whole)
}

/**
 * Selects the use of accounts by UTC day of a month.
 * @param accounts JSON array of their ids
 */
export function selectDays(accounts: string, monthMs: number) {
  return (
    queries
      .selectFrom('usage_sums')
      .select((eb) => [
        'account_id as accountId',
        'begin_ms as beginMs',
        eb.fn.sum<number>('prompt_tokens').as('promptTokens'),
        eb.fn.sum<number>('cached_tokens').as('cachedTokens'),
        eb.fn.sum<number>('completion_tokens').as('completionTokens'),
      ])
      .where('span', '=', sql.lit('day'))
      .where('begin_ms', '>=', monthMs)
      .where('begin_ms', '<', startOfNextMonth(monthMs))
      // An expression, so that SQLite uses the index of days. With the primary key, it would read the days of all months.
      .where(
        sql<string>`account_id || ''`,
        'in',
        sql<string>`(select value from json_each(${accounts}))`,
      )
      .groupBy(['account_id', 'begin_ms'])
  )
}
